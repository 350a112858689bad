-- An alarm stays one event from its first raise until somebody has acknowledged it and it has returned, however often it is raised in
-- between. Each of these steps is kept.
alter table event add column raises int not null default 1 check (raises >= 1);
-- When it was last raised; null: not again since it was raised first.
alter table event add column raised_again_at timestamptz;
alter table event drop constraint event_kind_check;
alter table event add constraint event_kind_check check (kind in ('alarm', 'fault', 'warning', 'order', 'journal'));

create table event_transition (
  event_id bigint not null references event on delete cascade,
  at timestamptz not null,
  act text not null check (act in ('raise', 'return', 'acknowledge', 'remove', 'merge')),
  -- Null: it was not there before.
  from_state text,
  to_state text not null,
  value double precision,
  limit_value double precision,
  -- Null: the equipment.
  actor text,
  -- Of a merged event: the one it goes on as.
  merged_into bigint references event on delete cascade
);
create index event_transition_event on event_transition (event_id, at);
create index event_raised_again on event_transition (at) where act = 'raise' and from_state is not null;
alter table event_transition enable row level security;
create policy seen on event_transition for select using (exists (select from event where event.event_id = event_transition.event_id));

-- Of several events of one alarm that still need somebody the present one goes on; the others are over, and say which that is.
create temp table merging on commit drop as
  select event_id, state, returned_at, first_value(event_id) over same as kept, count(*) over (partition by gateway_id, line_id, key, point) as raises
  from event where state in ('active', 'acknowledged', 'returned') and not historical
  window same as (partition by gateway_id, line_id, key, point order by (state <> 'returned') desc, event_id desc);
update event set raises = merging.raises from merging where merging.event_id = event.event_id and kept = event.event_id;
insert into event_transition (event_id, at, act, from_state, to_state, merged_into)
  select event_id, now(), 'merge', state, 'normal', kept from merging where event_id <> kept;
update event set state = 'normal', returned_at = coalesce(event.returned_at, now())
  from merging where merging.event_id = event.event_id and kept <> event.event_id;

drop index event_open_once;
create unique index event_open_once on event (gateway_id, coalesce(line_id, 0), key, coalesce(point, ''))
  where state in ('active', 'acknowledged', 'returned') and not historical;
create index event_unacknowledged on event (event_id desc) where state in ('active', 'returned');

-- Each time something was raised, as an event of that time.
create view event_occurrence with (security_invoker = true) as
  select event_id, kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
    raised_at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at
  from event
  union all
  select event_id, kind, priority, key, label_zh, label_en, point, again.value, again.limit_value, unit, state, project_id, gateway_id, line_id,
    again.at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at
  from event_transition again join event using (event_id) where again.act = 'raise' and again.from_state is not null;

do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_transition, event_occurrence to linewarden_seen;
  end if;
end $$;
