-- What a project or a supply is meant to use or to cost in a month or a year, and what somebody was told of it.
create table energy_budget (
  budget_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  -- Null: of the project.
  supply_id int references supply,
  period text not null check (period in ('month', 'year')),
  kind text not null check (kind in ('energy', 'money')),
  -- Whole Wh, or whole minor units of the currency of the supply.
  amount bigint not null check (amount > 0),
  -- Per cent of it, rising.
  thresholds int[] not null,
  version int not null default 1,
  check (kind = 'energy' or supply_id is not null)
);
create unique index energy_budget_name on energy_budget (project_id, lower(name));
-- Each once in a period, by its first date.
create table energy_budget_notice (
  budget_id int not null references energy_budget on delete cascade,
  starts date not null,
  -- Per cent that were reached, or `expected`.
  notice text not null,
  noticed_at timestamptz not null,
  -- When an event of the project told of it.
  notified_at timestamptz,
  primary key (budget_id, starts, notice)
);
create index energy_budget_notice_new on energy_budget_notice (budget_id) where notified_at is null;

-- Of a project as a whole, as its supplies.
alter table energy_budget enable row level security;
alter table energy_budget_notice enable row level security;
create policy seen on energy_budget for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on energy_budget to linewarden_seen;
  end if;
end $$;
