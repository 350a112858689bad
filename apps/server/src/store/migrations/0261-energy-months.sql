-- Energy of a line, a gateway or a project in a month that is over, so that a question of years reads a row a month. A row is true or it is not
-- there: whoever changes a quarter or a day takes its month away in the same transaction, and it is made again.
create table energy_month (
  kind "char" not null check (kind in ('l', 'g', 'p')),
  id int not null,
  -- Its first, of the project's zone.
  month date not null,
  project_id int not null,
  gateway_id int,
  used float8 not null,
  spread_used float8 not null,
  estimated_used float8 not null,
  entered_used float8 not null,
  -- Quarters of which something is known, and of which everything is.
  known int not null,
  complete int not null,
  lines int not null,
  fed boolean not null,
  primary key (kind, id, month)
);
-- Months of projects to be made once they are over, as notes.
create table energy_month_due (project_id int not null, month date not null);
insert into energy_month_due (project_id, month) select distinct project_id, date_trunc('month', day)::date from energy_profile where kind = 'p';

create or replace function remake_energy(project int, also int) returns void language sql as $$
  delete from energy_month where project_id in (project, also);
  delete from energy_profile where project_id in (project, also);
  insert into energy_profile_due (project_id, day)
    select begun.project_id, day::date from (
      select project_id, min(since) as since from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id in (project, also) group by project_id
    ) as begun cross join generate_series(since - interval '1 day', now() + interval '1 day', interval '1 day') as day;
$$;

alter table energy_month enable row level security;
create policy seen on energy_month for select using (
  (select sees_all())
  or (kind = 'l' and id = any ((select seen_lines())::int[]))
  or (kind <> 'l' and (project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]))));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on energy_month to linewarden_seen;
  end if;
end $$;
