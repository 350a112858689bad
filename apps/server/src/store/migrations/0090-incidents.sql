-- Events of one cause are one incident: its root is shown, and shows for the children that are folded under it. Folding hides rows and pop-ups;
-- everything is evaluated, stored and returned as before.
create table incident (
  incident_id bigint generated always as identity primary key,
  kind text not null check (kind in ('gateway', 'upstreamTrip', 'outage', 'platform', 'neutral')),
  -- Null: the whole installation.
  project_id int references project,
  -- Where it is: a gateway; a line, with the gateway of it; the project.
  gateway_id int references gateway,
  line_id int references line,
  -- Null: the cause is known, and no alarm tells of it: one is raised as soon as something is folded.
  root_event_id bigint references event on delete cascade,
  -- When the cause came, for the first time and for the last; when it went, by the root's return.
  opened_at timestamptz not null,
  raised_at timestamptz not null,
  ended_at timestamptz,
  -- Since when nothing is folded any more, and what was still there stands alone.
  closed_at timestamptz,
  -- Since when nothing that needs somebody is folded.
  emptied_at timestamptz,
  -- How often something was folded; 0: it is no incident yet.
  folded int not null default 0
);
-- Of two servers that find the same cause one makes the incident.
create unique index incident_open_once on incident (kind, coalesce(project_id, 0), coalesce(gateway_id, 0), coalesce(line_id, 0))
  where closed_at is null;
create unique index incident_root on incident (root_event_id) where root_event_id is not null;
create index incident_open on incident (project_id) where closed_at is null;
create index incident_full on incident (incident_id) where emptied_at is null;
create index incident_shown on incident (incident_id) where folded > 0;

-- The incident an event was folded into, and whether it still is.
alter table event add column incident_id bigint references incident on delete set null;
alter table event add column folded boolean not null default false;
-- Where the root is that shows for it: whoever does not see that gateway is shown the event itself. Null: the root is of the whole project.
alter table event add column root_gateway_id int;
-- The incident whose root it is.
alter table event add column root_of bigint references incident on delete set null;
-- Somebody took it out of an incident: it is folded no more.
alter table event add column stands_alone boolean not null default false;
alter table event drop constraint event_suppressed_check;
alter table event add constraint event_suppressed_check check (suppressed in ('tag', 'incident'));
create index event_incident on event (incident_id, event_id) where incident_id is not null;
create index event_root_of on event (root_of) where root_of is not null;

alter table event_transition add column incident_id bigint;
alter table event_transition drop constraint event_transition_act_check;
alter table event_transition add constraint event_transition_act_check check (act in ('raise', 'return', 'acknowledge', 'expire', 'shelve',
  'unshelve', 'shelfEnd', 'suppress', 'release', 'fold', 'alone', 'comment', 'remove', 'merge'));
alter table announcement drop constraint announcement_why_check;
alter table announcement add constraint announcement_why_check check (why in ('raise', 'expire', 'shelfEnd', 'release', 'alone'));

create or replace view event_occurrence with (security_invoker = true) as
  select event_id, kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
    raised_at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at, device_id,
    shelved_until, shelved_by, shelved_reason, acknowledged_until, suppressed, announced,
    incident_id, folded, root_gateway_id, root_of, stands_alone
  from event
  union all
  select event_id, kind, priority, key, label_zh, label_en, point, again.value, again.limit_value, unit, state, project_id, gateway_id, line_id,
    again.at, stored_at, acknowledged_at, acknowledged_by, returned_at, historical, raises, raised_again_at, device_id,
    shelved_until, shelved_by, shelved_reason, acknowledged_until, suppressed, announced,
    event.incident_id, folded, root_gateway_id, root_of, stands_alone
  from event_transition again join event using (event_id) where again.act = 'raise' and again.from_state is not null;

alter table incident enable row level security;
-- Whoever sees the root; that the platform itself was away concerns everybody who sees anything.
create policy seen on incident for select using (
  kind = 'platform' or exists (select from event where event.event_id = incident.root_event_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on incident to linewarden_seen;
  end if;
end $$;
