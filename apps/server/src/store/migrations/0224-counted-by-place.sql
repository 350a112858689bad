-- The list behind a figure finds its steps by where they are and by the order of their events, without asking each event.

alter table event_counted rename to former_counted;
alter index event_counted_pkey rename to former_counted_pkey;
drop index event_counted_day;
drop index event_counted_long;
create table event_counted (
  event_id bigint not null,
  -- 0 and below: of an event that has no steps of its own.
  step_id bigint not null,
  at timestamptz not null,
  -- By the project's own clock, counted since 1970.
  day int not null,
  -- As in the counts: of a project as a whole there is no gateway (0), and of all else no project.
  gateway_id int not null,
  project_id int not null,
  place_id int not null,
  -- As it was when it was counted: an open event may become graver.
  priority text not null,
  -- A bit for each: raised, announced, folded, began to chatter, fleeting, unjustified, acknowledged.
  counted smallint not null,
  -- It ended more than a day of being active, which began then.
  since timestamptz
);

create temp table placed on commit drop as
  select former_counted.*, coalesce(event.gateway_id, 0) as gateway_id, case when event.gateway_id is null then event.project_id else 0 end as project_id,
    coalesce(event.device_id, line.device_id, 0) as device_id, coalesce(event.line_id, 0) as line_id, event.key, event.kind
  from former_counted join event using (event_id) left join line on line.line_id = event.line_id;
analyze placed;
insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
  select distinct gateway_id, project_id, device_id, line_id, key, kind, priority from placed on conflict do nothing;
insert into event_counted (event_id, step_id, at, day, gateway_id, project_id, place_id, priority, counted, since)
  select event_id, step_id, at, day, gateway_id, project_id, place_id, priority, counted, since
  from placed join event_place using (gateway_id, project_id, device_id, line_id, key, kind, priority) order by event_id;
drop table former_counted;

alter table event_counted add primary key (event_id, step_id);
create index event_counted_day on event_counted (day, event_id);
create index event_counted_gateway on event_counted (gateway_id, day);
create index event_counted_long on event_counted (at) where since is not null;

analyze event_counted;

-- The inner select is under the policy of its own table.
alter table event_counted enable row level security;
create policy seen on event_counted for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_counted to linewarden_seen;
  end if;
end $$;
