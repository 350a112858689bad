-- The alarm list, filtered and ordered as a person asks, at any depth: every order is an index that is read from either end. Priorities
-- count from the mildest.
create index event_by_priority on event (array_position(array['low', 'medium', 'high', 'critical'], priority), event_id);
create index event_by_raised on event (raised_at, event_id);
create index event_by_raises on event (raises, event_id);
-- The same of what still needs somebody, of which there is little among all that is over.
create index event_open_by_priority on event (array_position(array['low', 'medium', 'high', 'critical'], priority), event_id)
  where state in ('active', 'acknowledged', 'returned');
create index event_open_by_raised on event (raised_at, event_id) where state in ('active', 'acknowledged', 'returned');
create index event_open_by_raises on event (raises, event_id) where state in ('active', 'acknowledged', 'returned');
create index event_key on event (key, event_id);
create index event_device on event (device_id, event_id) where device_id is not null;
create index event_last_raised on event (coalesce(raised_again_at, raised_at));
drop index event_gateway;
create index event_gateway on event (gateway_id, event_id);
