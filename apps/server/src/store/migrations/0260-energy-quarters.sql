-- Energy by the quarter of an hour (ADR 155, 156): what every figure of energy is made of. A quarter is one of UTC, so a row of 96 is the same
-- in whatever zone its project lies, and stays as it is when the project's zone changes.
create table energy_quarter (
  line_id int not null,
  -- Of UTC.
  day date not null,
  -- Whole Wh; null: not known, which is not nought.
  wh int[] not null,
  -- How each is known, one byte each: 0 measured, 1 spread, 2 estimated, 3 entered, 4 not known.
  how bytea not null,
  primary key (line_id, day),
  check (cardinality(wh) = 96 and length(how) = 96)
);

-- Lines that ever counted energy: since which quarter, and up to which quarter everything is made that was reported in time.
create table energy_line (
  line_id int primary key,
  since timestamptz not null,
  made_to timestamptz not null
);

-- Quarters that must be made (again), as notes: there may be several of one stretch. A note is taken away before its quarters are made.
create table energy_due (line_id int not null, starts timestamptz not null, ends timestamptz not null, check (starts < ends));
create index energy_due_ends on energy_due (ends);
-- Whatever is kept of the past is made into quarters, a day at a time: of its readings, and of its hours where these are gone.
insert into energy_due (line_id, starts, ends)
  select line_id, first, last + interval '1 hour' from line
    cross join lateral (select hour as first from reading_hour where reading_hour.line_id = line.line_id order by hour limit 1) as begun
    cross join lateral (select hour as last from reading_hour where reading_hour.line_id = line.line_id order by hour desc limit 1) as ended;

-- Energy of a project and of each of its gateways by local day, made of the quarters of the lines that nothing in it feeds.
create table energy_profile (
  -- p: a project, g: a gateway.
  kind "char" not null check (kind in ('p', 'g')),
  id int not null,
  -- Of the project's zone.
  day date not null,
  project_id int not null,
  gateway_id int,
  -- Sum of what is known in each quarter of the day, whole Wh; null: nothing is.
  wh float8[] not null,
  -- Of how many lines nothing is known in each quarter. Null: of none in any.
  missing int[],
  -- Parts of `wh`. Null: none in any quarter.
  spread float8[],
  estimated float8[],
  entered float8[],
  -- How many lines it is made of, and whether any line in it is fed by another: where none is, one may count what another counts.
  lines int not null,
  fed boolean not null,
  -- Sums of the day, and quarters of which something, or everything, is not known.
  used float8 not null,
  spread_used float8 not null,
  estimated_used float8 not null,
  entered_used float8 not null,
  lacking int not null,
  unknown int not null,
  primary key (kind, id, day)
);
-- Days of projects that must be made (again), as notes.
create table energy_profile_due (project_id int not null, day date not null);
create index energy_profile_due_day on energy_profile_due (day, project_id);

-- Which line supplied which, since when. What lies before this table is taken to have been as it is now.
create table feed_span (
  line_id int not null references line,
  fed_by int not null references line,
  starts timestamptz not null,
  ends timestamptz,
  primary key (line_id, starts)
);
create unique index feed_span_now on feed_span (line_id) where ends is null;
insert into feed_span (line_id, fed_by, starts) select line_id, fed_by, '-infinity' from line where fed_by is not null;
create function feed_changed() returns trigger language plpgsql as $$
begin
  -- Twice within one moment: the span between has no length and is left out.
  delete from feed_span where line_id = new.line_id and ends is null and starts >= now();
  update feed_span set ends = now() where line_id = new.line_id and ends is null;
  if new.fed_by is not null then
    insert into feed_span (line_id, fed_by, starts) values (new.line_id, new.fed_by, now())
      on conflict (line_id, starts) do update set fed_by = excluded.fed_by, ends = null;
  end if;
  return null;
end $$;
create trigger feed_changed after update of fed_by on line for each row
  when (old.fed_by is distinct from new.fed_by) execute function feed_changed();
create trigger feed_born after insert on line for each row when (new.fed_by is not null) execute function feed_changed();

-- Another zone has other days; and a gateway that is moved takes its past along.
create function remake_energy(project int, also int) returns void language sql as $$
  delete from energy_profile where project_id in (project, also);
  insert into energy_profile_due (project_id, day)
    select begun.project_id, day::date from (
      select project_id, min(since) as since from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id in (project, also) group by project_id
    ) as begun cross join generate_series(since - interval '1 day', now() + interval '1 day', interval '1 day') as day;
$$;
create function energy_zone_changed() returns trigger language plpgsql as $$
begin
  perform remake_energy(new.project_id, new.project_id);
  return null;
end $$;
create trigger energy_zone_changed after update of time_zone on project for each row
  when (old.time_zone is distinct from new.time_zone) execute function energy_zone_changed();
create function energy_project_changed() returns trigger language plpgsql as $$
begin
  perform remake_energy(old.project_id, new.project_id);
  return null;
end $$;
create trigger energy_project_changed after update of project_id on gateway for each row
  when (old.project_id is distinct from new.project_id) execute function energy_project_changed();

-- Quarters are judged by their line, as readings are; what is made of them by its project or gateway.
alter table energy_quarter enable row level security;
alter table energy_line enable row level security;
alter table energy_profile enable row level security;
create policy seen on energy_quarter for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on energy_line for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on energy_profile for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on energy_quarter, energy_line, energy_profile to linewarden_seen;
  end if;
end $$;
