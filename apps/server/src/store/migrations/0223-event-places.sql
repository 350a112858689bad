-- Statistics of a million alarms within a second: an alarm of a place, by its kind and priority, has a number, so that what is counted are
-- narrow rows of numbers; and what all of them come to together is kept summed beside them.

alter table event_ten rename to former_ten;
alter table event_day rename to former_day;
alter index event_ten_pkey rename to former_ten_pkey;
alter index event_day_pkey rename to former_day_pkey;

-- 0: no gateway, project, device or line, as in the counts.
create table event_place (
  place_id int generated always as identity primary key,
  gateway_id int not null,
  project_id int not null,
  device_id int not null,
  line_id int not null,
  key text not null,
  kind text not null,
  priority text not null,
  unique (gateway_id, project_id, device_id, line_id, key, kind, priority)
);
insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
  select gateway_id, project_id, device_id, line_id, key, kind, priority from former_day
  union select gateway_id, project_id, device_id, line_id, key, kind, priority from former_ten;
analyze event_place;

-- `ten`, `day`, and what is counted: as in 0110. The gateway is named here too: by it the policy decides, and its days lie together.
create table event_ten (
  ten int not null,
  gateway_id int not null,
  project_id int not null,
  place_id int not null,
  announced int not null,
  folded int not null
);
create table event_day (
  day int not null,
  gateway_id int not null,
  project_id int not null,
  place_id int not null,
  raised int not null,
  announced int not null,
  folded int not null,
  bursts int not null,
  fleeting int not null,
  unjustified int not null,
  over_day int not null,
  active_ms bigint not null
);
-- How often an acknowledgement took so many seconds.
create table event_ack (
  day int not null,
  gateway_id int not null,
  project_id int not null,
  place_id int not null,
  seconds int not null,
  times int not null
);

-- The same of everything.
create table event_ten_sum (
  ten int not null,
  kind text not null,
  priority text not null,
  announced int not null,
  folded int not null
);
create table event_day_sum (
  day int not null,
  key text not null,
  kind text not null,
  priority text not null,
  raised int not null,
  announced int not null,
  folded int not null,
  bursts int not null,
  fleeting int not null,
  unjustified int not null,
  over_day int not null
);
create table event_ack_sum (
  day int not null,
  kind text not null,
  priority text not null,
  seconds int not null,
  times int not null
);

insert into event_ten (ten, gateway_id, project_id, place_id, announced, folded)
  select ten, gateway_id, project_id, place_id, announced, folded
  from former_ten join event_place using (gateway_id, project_id, device_id, line_id, key, kind, priority) order by ten;
insert into event_day (day, gateway_id, project_id, place_id, raised, announced, folded, bursts, fleeting, unjustified, over_day, active_ms)
  select day, gateway_id, project_id, place_id, raised, announced, folded, bursts, fleeting, unjustified, over_day, active_ms
  from former_day join event_place using (gateway_id, project_id, device_id, line_id, key, kind, priority) order by day;
insert into event_ack (day, gateway_id, project_id, place_id, seconds, times)
  select day, gateway_id, project_id, place_id, seconds, count(*)
  from former_day join event_place using (gateway_id, project_id, device_id, line_id, key, kind, priority)
    cross join unnest(ack_seconds) as seconds
  group by day, gateway_id, project_id, place_id, seconds order by day;
insert into event_ten_sum (ten, kind, priority, announced, folded)
  select ten, kind, priority, sum(announced), sum(folded) from former_ten group by ten, kind, priority order by ten;
insert into event_day_sum (day, key, kind, priority, raised, announced, folded, bursts, fleeting, unjustified, over_day)
  select day, key, kind, priority, sum(raised), sum(announced), sum(folded), sum(bursts), sum(fleeting), sum(unjustified), sum(over_day)
  from former_day group by day, key, kind, priority order by day;
insert into event_ack_sum (day, kind, priority, seconds, times)
  select day, kind, priority, seconds, count(*) from former_day cross join unnest(ack_seconds) as seconds
  group by day, kind, priority, seconds order by day;
drop table former_ten;
drop table former_day;

alter table event_ten add primary key (gateway_id, ten, place_id);
alter table event_day add primary key (gateway_id, day, place_id);
alter table event_ack add primary key (gateway_id, day, place_id, seconds);
alter table event_ten_sum add primary key (ten, kind, priority);
alter table event_day_sum add primary key (day, key, kind, priority);
alter table event_ack_sum add primary key (day, kind, priority, seconds);
-- Of all gateways: what is counted comes in about the order of its days.
create index event_ten_days on event_ten using brin (ten);
create index event_day_days on event_day using brin (day);
create index event_ack_days on event_ack using brin (day);

analyze event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum;

-- What is of a project as a whole is little, and found without passing all that its gateways have.
create index event_of_project on event (project_id, event_id) where gateway_id is null;

-- The inner select is under the policy of its own table.
alter table event_place enable row level security;
alter table event_ten enable row level security;
alter table event_day enable row level security;
alter table event_ack enable row level security;
alter table event_ten_sum enable row level security;
alter table event_day_sum enable row level security;
alter table event_ack_sum enable row level security;
create policy seen on event_place for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on event_ten for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on event_day for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on event_ack for select using (
  (select sees_all()) or gateway_id in (select gateway_id from gateway) or project_id = any ((select seen_projects())::int[]));
create policy seen on event_ten_sum for select using ((select sees_all()));
create policy seen on event_day_sum for select using ((select sees_all()));
create policy seen on event_ack_sum for select using ((select sees_all()));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_place, event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum to linewarden_seen;
  end if;
end $$;
