-- What is known of the raises of each alarm of each place, one row for all time: whether the next one goes on with its series, whether it
-- chatters, when it was announced. Only what ingest has stored stands here; nobody sees it but through events.
create table alarm_series (
  gateway_id int not null,
  device_id int not null,
  line_id int not null,
  key text not null,
  point text not null,
  -- The first event of the series, and the newest.
  series_id bigint not null,
  event_id bigint not null references event on delete cascade,
  occurrences int not null,
  -- The newest raises, by the equipment's clock.
  raises timestamptz[] not null,
  returned_at timestamptz,
  announced_at timestamptz,
  chatter_since timestamptz,
  chatter_at timestamptz,
  primary key (line_id, gateway_id, device_id, key, point)
);
create index alarm_series_event on alarm_series (event_id);
alter table alarm_series enable row level security;

-- The first event of its series; null: itself.
alter table event add column series_id bigint;
-- How often the alarm was raised in its series, up to the newest raise of this event; null: as often as this event.
alter table event add column occurrences int;
-- A newer event of its series is there: in a list that has one row for each, this is not it.
alter table event add column superseded boolean not null default false;
alter table event add column chatter_since timestamptz;
alter table event add column chatter_at timestamptz;
create index event_series on event (series_id, event_id) where series_id is not null;
select event_occurrence_again();
