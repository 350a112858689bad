-- Statistics of alarms: counted by ten minutes and by day from the steps of their lives, each step once.

-- Whether the step was announced; null: it was stored before this was noted, or by something that announces nothing.
alter table event_transition add column announced boolean;

-- Announced in ten minutes; `ten` counts them since 1970. 0: no device, no line. Of a project as a whole gateway_id is 0, and of all else
-- project_id is: what is of a gateway goes with it wherever it goes.
create table event_ten (
  ten int not null,
  gateway_id int not null,
  project_id int not null,
  device_id int not null,
  line_id int not null,
  key text not null,
  kind text not null,
  priority text not null,
  announced int not null,
  folded int not null,
  primary key (ten, gateway_id, project_id, device_id, line_id, key, kind, priority)
);

-- The same and more of a place, by day of the project's own clock; `day` counts them since 1970.
create table event_day (
  day int not null,
  gateway_id int not null,
  project_id int not null,
  device_id int not null,
  line_id int not null,
  key text not null,
  kind text not null,
  priority text not null,
  raised int not null,
  announced int not null,
  folded int not null,
  -- Three raises and more within a minute, counted where they begin.
  bursts int not null,
  -- Returned within 5 s, and within 60 s without anybody doing anything.
  fleeting int not null,
  unjustified int not null,
  -- Of what has returned; what is still active is added when somebody asks.
  active_ms bigint not null,
  -- Active for more than a day when this one began.
  over_day int not null,
  -- How long each acknowledgement took.
  ack_seconds int[] not null,
  primary key (day, gateway_id, project_id, device_id, line_id, key, kind, priority)
);

-- A step that is not counted yet, noted in the transaction that stores it; without a step, an event that may have none. There is no key, so
-- that whoever notes waits for nobody.
create table event_step_due (event_id bigint not null, step_id bigint);
create function note_event_steps() returns trigger language plpgsql as $$
begin
  insert into event_step_due (event_id, step_id) select event_id, step_id from added;
  return null;
end $$;
create trigger event_steps_noted after insert on event_transition referencing new table as added
  for each statement execute function note_event_steps();
create function note_events() returns trigger language plpgsql as $$
begin
  insert into event_step_due (event_id) select event_id from added where state is not null;
  return null;
end $$;
create trigger events_noted after insert on event referencing new table as added for each statement execute function note_events();

-- What is counted anew from its events: everything once, and again where days are another zone's.
create table event_recount (gateway_id int not null, project_id int not null, primary key (gateway_id, project_id));
insert into event_recount (gateway_id, project_id)
  select gateway_id, 0 from gateway union all select 0, project_id from project;
create function recount_project() returns trigger language plpgsql as $$
begin
  insert into event_recount (gateway_id, project_id)
    select gateway_id, 0 from gateway where project_id = new.project_id union all select 0, new.project_id on conflict do nothing;
  return null;
end $$;
create trigger project_zone_recounted after update of time_zone on project for each row
  when (old.time_zone is distinct from new.time_zone) execute function recount_project();
create function recount_gateway() returns trigger language plpgsql as $$
begin
  insert into event_recount (gateway_id, project_id)
    select new.gateway_id, 0 from project before, project after
    where before.project_id = old.project_id and after.project_id = new.project_id and before.time_zone <> after.time_zone
    on conflict do nothing;
  return null;
end $$;
create trigger gateway_recounted after update of project_id on gateway for each row
  when (old.project_id is distinct from new.project_id) execute function recount_gateway();

-- How many lines of a gateway reported on a day, and in how many hours: few alarms on a day without data are no good day. `day` as above.
create table gateway_day (
  day int not null,
  gateway_id int not null,
  lines int not null,
  line_hours int not null,
  primary key (day, gateway_id)
);
insert into rollup_day_due (time_zone, day)
  select time_zone, day at time zone time_zone
  from (select min(first) as first from line
    cross join lateral (select hour as first from reading_hour where reading_hour.line_id = line.line_id order by hour limit 1) as begun) as began
    cross join (select distinct time_zone from project) as zones,
    generate_series(date_trunc('day', first at time zone time_zone), now() at time zone time_zone, interval '1 day') as day
  on conflict do nothing;

-- The inner select is under the policy of its own table.
alter table event_ten enable row level security;
alter table event_day enable row level security;
alter table gateway_day enable row level security;
alter table event_shelf enable row level security;
create policy seen on event_ten for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on event_day for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on gateway_day for select using ((select sees_all()) or gateway_id in (select gateway_id from gateway));
create policy seen on event_shelf for select using (exists (select from event where event.event_id = event_shelf.event_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_ten, event_day, gateway_day, event_shelf to linewarden_seen;
  end if;
end $$;
