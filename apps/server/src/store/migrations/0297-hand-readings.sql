-- What somebody read off a register at the cabinet (抄表, ADR 174). It counts as a reading does; what was reported stays as it is.
create table register_value (
  value_id int primary key generated always as identity,
  line_id int not null references line,
  at timestamptz not null,
  -- As the register showed it, before the multiplier.
  kwh float8 not null check (kwh >= 0),
  reason text not null,
  typed_name text not null,
  typed_at timestamptz not null,
  undone_name text,
  undone_at timestamptz
);
create unique index register_value_line on register_value (line_id, at) where undone_at is null;

alter table register_value enable row level security;
create policy seen on register_value for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on register_value to linewarden_seen;
  end if;
end $$;
