-- What the utility bills (供电点): an account number, and the incoming lines that make it up.
create table supply (
  supply_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  account_no text not null,
  -- As `{ lineId, sign }`: 1 counts, -1 is taken off. A line may be gone since.
  members jsonb not null,
  -- Null: not known.
  capacity_va int check (capacity_va > 0),
  declared_w int check (declared_w > 0),
  -- In hundredths; null: nothing is adjusted by power factor.
  pf_standard int check (pf_standard in (90, 85, 80)),
  -- 0: the natural month.
  billing_day int not null check (billing_day between 0 and 28),
  energy_step_wh int not null check (energy_step_wh in (1, 1000)),
  -- Local days since 1970, both included. Null: it goes on.
  from_day int not null,
  to_day int,
  version int not null default 1,
  check (to_day >= from_day)
);
create unique index supply_name on supply (project_id, lower(name));

-- It is of a project as a whole: who sees single gateways of it sees none.
alter table supply enable row level security;
create policy seen on supply for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on supply to linewarden_seen;
  end if;
end $$;
