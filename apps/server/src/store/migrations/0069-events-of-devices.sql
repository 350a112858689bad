-- An event of a whole device, such as that it is offline behind a gateway that lives. Two devices of one gateway are two events.
alter table event add column device_id int references device;
drop index event_open_once;
create unique index event_open_once on event (gateway_id, coalesce(device_id, 0), coalesce(line_id, 0), key, coalesce(point, ''))
  where state in ('active', 'acknowledged', 'returned') and not historical;
create or replace view event_occurrence with (security_invoker = true) as
  select event_id, kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
    raised_at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at, device_id
  from event
  union all
  select event_id, kind, priority, key, label_zh, label_en, point, again.value, again.limit_value, unit, state, project_id, gateway_id, line_id,
    again.at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at, device_id
  from event_transition again join event using (event_id) where again.act = 'raise' and again.from_state is not null;
