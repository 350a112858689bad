-- The power factor of a billing period of a supply, as somebody typed it from a bill (ADR 159): itself, or active and reactive energy by the registers.
create table supply_power_factor (
  supply_id int not null references supply on delete cascade,
  -- The first of the month in which the period begins, as a local day since 1970.
  month int not null,
  project_id int not null,
  -- In hundredths.
  cos int check (cos between 1 and 100),
  active_wh bigint check (active_wh > 0),
  reactive_varh bigint check (reactive_varh >= 0),
  -- The bill that says so.
  source text not null,
  typed_at timestamptz not null,
  -- As whoever typed it was called then.
  typed_name text not null,
  version int not null default 1,
  primary key (supply_id, month),
  check (num_nulls(active_wh, reactive_varh) = case when cos is null then 0 else 2 end)
);

-- Of a project as a whole, as its supplies.
alter table supply_power_factor enable row level security;
create policy seen on supply_power_factor for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on supply_power_factor to linewarden_seen;
  end if;
end $$;
