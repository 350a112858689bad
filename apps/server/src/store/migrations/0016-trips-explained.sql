-- Each trip keeps its own explanation. The latch stays on the line: it says whether the newest trip is still to be explained.
create table trip (
  line_id int not null references line,
  -- line.trip_latches as the trip made it.
  trip_no int not null,
  cause text not null,
  -- Device time of the report that latched it.
  at timestamptz not null,
  explained text,
  explained_at timestamptz,
  primary key (line_id, trip_no),
  check ((explained is null) = (explained_at is null))
);
create index trip_at on trip (line_id, at);

-- Of former trips only the newest one of a line was known. Its time and cause are those of the trip alarm that came with it.
insert into trip (line_id, trip_no, cause, at, explained, explained_at)
select line.line_id, trip_latches, substr(alarm.key, 6), alarm.raised_at, trip_explained, trip_explained_at
from line cross join lateral (
  select key, raised_at from event
  where event.line_id = line.line_id and not event.historical and event.stored_at <= coalesce(line.trip_explained_at, now())
    and event.key in ('trip.leakage', 'trip.short', 'trip.arc') and event.key = coalesce('trip.' || line.trip_latched, event.key)
  order by event_id desc limit 1
) alarm
where trip_latched is not null or (trip_explained is not null and trip_explained_at is not null);

alter table line drop column trip_explained, drop column trip_explained_at;
