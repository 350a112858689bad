-- What somebody entered over the quarters of a line (补量, ADR 169). It lies over what was made of registers, which is made anew once it is undone.
create table energy_fix (
  fix_id int primary key generated always as identity,
  line_id int not null references line,
  -- On quarters, the end not included.
  starts timestamptz not null,
  ends timestamptz not null,
  -- register: two registers were read off, before the multiplier; kwh: so much was used; profile: as the line usually goes; zero: nothing was used.
  method text not null check (method in ('register', 'kwh', 'profile', 'zero')),
  start_kwh float8,
  end_kwh float8,
  wh float8,
  -- Of `profile`: whole Wh of each quarter; null: nothing is usual there, and it stays as it is.
  course int[],
  -- What was known of its quarters, for those whose readings are gone when it is undone. Null: put back.
  former_wh int[],
  former_how bytea,
  reason text not null,
  typed_name text not null,
  typed_at timestamptz not null,
  undone_name text,
  undone_at timestamptz,
  check (starts < ends)
);
create index energy_fix_undone on energy_fix (fix_id) where undone_at is not null and former_wh is not null;
create index energy_fix_line on energy_fix (line_id, starts);

alter table energy_fix enable row level security;
create policy seen on energy_fix for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on energy_fix to linewarden_seen;
  end if;
end $$;
