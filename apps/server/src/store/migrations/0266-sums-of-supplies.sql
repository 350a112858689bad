-- Energy of a supply by band in a day or a month that is over (ADR 163), so that a question of years reads a row a month. A row says what it was made
-- of; one that was made of something else than what counts now is passed over and made again.
create table energy_supply (
  supply_id int not null references supply on delete cascade,
  -- d: a day, m: a month of days that one version prices.
  level "char" not null check (level in ('d', 'm')),
  -- Its first date, of the project's zone.
  start date not null,
  project_id int not null,
  -- Members and where they are, zone, version, type of the date and its quarters.
  made_of text not null,
  -- The version that prices it; null: none does.
  version_id int,
  -- Sums of the quarters that are known, whole Wh.
  used float8 not null,
  spread_used float8 not null,
  estimated_used float8 not null,
  entered_used float8 not null,
  quarters int not null,
  known int not null,
  -- By the bands of the version, in its order.
  b0 float8 not null, b1 float8 not null, b2 float8 not null, b3 float8 not null,
  b4 float8 not null, b5 float8 not null, b6 float8 not null, b7 float8 not null,
  -- Quarters that have energy and a price, and those that have energy and none.
  priced int not null,
  unpriced int not null,
  unpriced_used float8 not null,
  primary key (supply_id, level, start)
);
-- Days of supplies to be made (again) once they are over, as notes: there may be several of one day. A note is taken away before its day is made.
create table energy_supply_due (supply_id int not null references supply on delete cascade, day date not null);
create index energy_supply_due_day on energy_supply_due (day, supply_id);
-- What a supply went by when its days were last looked through: where it goes by something else, those that are not right any more are noted.
create table energy_supply_look (supply_id int primary key references supply on delete cascade, went_by text not null);
-- Which supplies a line is a member of.
create index supply_members on supply using gin (members jsonb_path_ops);

create or replace function remake_energy(projects int[], gateways int[]) returns void language sql as $$
  delete from energy_profile where kind = 'p' and id = any (projects);
  delete from energy_profile where kind = 'g' and id = any (gateways);
  delete from energy_month where kind = 'p' and id = any (projects);
  delete from energy_month where kind = 'g' and id = any (gateways);
  delete from energy_month where kind = 'l' and id in (select line_id from line join device using (device_id) where gateway_id = any (gateways));
  delete from energy_supply where supply_id in (select supply_id from supply where project_id = any (projects));
  delete from energy_supply_look where supply_id in (select supply_id from supply where project_id = any (projects));
  insert into energy_profile_due (project_id, day)
    select project_id, day::date from unnest(projects) as project_id
      cross join (
        -- A project whose last gateway was moved away has days as well, of which nothing may be left.
        select min(since) as since from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
        where project_id = any (projects) or gateway_id = any (gateways)
      ) as begun
      cross join generate_series(since - interval '1 day', now() + interval '1 day', interval '1 day') as day
    except select project_id, day from energy_profile_due;
$$;

-- Of a project as a whole, as its supplies.
alter table energy_supply enable row level security;
create policy seen on energy_supply for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on energy_supply to linewarden_seen;
  end if;
end $$;
