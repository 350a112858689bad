-- The meters of a line one after the other (表计履历, ADR 168): none, or all of its time without a hole. What a register shows counts `multiplier` times.
create table meter_span (
  -- Grows with each change of a line's meters: the highest is their version.
  meter_id int primary key generated always as identity,
  line_id int not null references line,
  -- '-infinity': the first one.
  starts timestamptz not null,
  -- Null: it is there still.
  ends timestamptz,
  serial text not null,
  -- Current transformer times voltage transformer, and what mends a wrong one.
  multiplier float8 not null check (multiplier > 0 and multiplier <= 100000),
  -- Its class, per cent.
  accuracy_pct float8 not null check (accuracy_pct > 0 and accuracy_pct <= 10),
  -- Where the register begins at nought again; null: not known.
  register_max_kwh float8 check (register_max_kwh > 0),
  -- What was read off when it was put in, and when it was taken out; null: nobody did.
  start_register_kwh float8 check (start_register_kwh >= 0),
  end_register_kwh float8 check (end_register_kwh >= 0),
  -- Why it was written so, by whom and when.
  reason text not null,
  typed_name text not null,
  typed_at timestamptz not null,
  check (starts < ends),
  unique (line_id, starts)
);
create unique index meter_span_now on meter_span (line_id) where ends is null;

-- What is known of the stretch of a note goes by other meters: it is forgotten and made anew, and so many times as much where no readings are left.
alter table energy_due add column factor float8 check (factor > 0);
create index energy_due_factor on energy_due (line_id) where factor is not null;

alter table meter_span enable row level security;
create policy seen on meter_span for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on meter_span to linewarden_seen;
  end if;
end $$;
