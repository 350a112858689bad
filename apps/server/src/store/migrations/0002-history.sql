-- History: hours know how many values each mean stands on, and days are made from hours, so that a year is a few hundred rows a line.

-- How many values each slot had (a message need not speak of every point): what a mean of means is weighted by. Null in hours rolled up
-- before; `count` stands for it.
alter table reading_hour add column known int[];
-- All marks of the hour's readings together: bit 0 clock off, bit 1 historical.
alter table reading_hour add column quality smallint not null default 0;

-- A day of the project's own time zone; `day` is its midnight.
create table reading_day (
  line_id int not null,
  day timestamptz not null,
  count int not null,
  known int[] not null,
  min real[] not null,
  mean real[] not null,
  max real[] not null,
  counter_used double precision,
  quality smallint not null,
  primary key (line_id, day)
);
-- Days one of whose hours was rolled up since the day was made.
create table rollup_day_due (time_zone text not null, day timestamptz not null, primary key (time_zone, day));
insert into rollup_day_due (time_zone, day)
  select distinct time_zone, date_trunc('day', hour at time zone time_zone) at time zone time_zone
  from (select distinct hour from reading_hour) as hours cross join (select distinct time_zone from project) as zones;

-- Event marks of a range.
create index event_line_raised on event (line_id, raised_at) where line_id is not null;
create index event_gateway_raised on event (gateway_id, raised_at) where line_id is null;

-- Another time zone has other days: they are made again from the hours, and until then read from the hours.
create function remake_days(lines int[], zone text) returns void language sql as $$
  delete from reading_day where line_id = any(lines);
  insert into rollup_day_due (time_zone, day)
    select zone, day at time zone zone
    from (select min(first) as first from unnest(lines) as own (id)
          cross join lateral (select hour as first from reading_hour where line_id = own.id order by hour limit 1) as begun) as began,
      generate_series(date_trunc('day', first at time zone zone), now() at time zone zone, interval '1 day') as day
    on conflict do nothing;
$$;
create function project_zone_changed() returns trigger language plpgsql as $$
begin
  perform remake_days(array(select line_id from line join device using (device_id) join gateway using (gateway_id)
    where project_id = new.project_id), new.time_zone);
  return null;
end $$;
create trigger project_zone_changed after update of time_zone on project for each row
  when (old.time_zone is distinct from new.time_zone) execute function project_zone_changed();
create function gateway_project_changed() returns trigger language plpgsql as $$
begin
  perform remake_days(array(select line_id from line join device using (device_id) where gateway_id = new.gateway_id),
    (select time_zone from project where project_id = new.project_id));
  return null;
end $$;
create trigger gateway_project_changed after update of project_id on gateway for each row
  when (old.project_id is distinct from new.project_id) execute function gateway_project_changed();
