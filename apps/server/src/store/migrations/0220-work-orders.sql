-- What is wrong somewhere, from what showed it first until it is proved to be gone. Nothing of it is deleted.
create table hazard (
  hazard_id int primary key generated always as identity,
  project_id int not null references project,
  gateway_id int not null references gateway,
  device_id int references device on delete set null,
  line_id int references line on delete set null,
  key text not null,
  label_zh text not null,
  label_en text not null,
  level text not null check (level in ('critical', 'high', 'medium', 'low')),
  source text not null check (source in ('alarm', 'finding', 'selfTest', 'patrol', 'exam', 'person')),
  state text not null check (state in ('open', 'ordered', 'verifying', 'gone', 'accepted')),
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  count int not null default 0,
  risk_until timestamptz
);
create unique index hazard_open_once on hazard (gateway_id, coalesce(device_id, 0), coalesce(line_id, 0), key) where state <> 'gone';
create index hazard_of_project on hazard (project_id);

create table work_order (
  order_id int primary key generated always as identity,
  number text not null,
  project_id int not null references project,
  gateway_id int references gateway,
  device_id int references device on delete set null,
  line_id int references line on delete set null,
  type text not null check (type in ('repair', 'inspection')),
  status text not null check (status in ('undispatched', 'dispatched', 'processed', 'closed', 'accepted')),
  title text not null,
  description text not null,
  priority text not null check (priority in ('critical', 'high', 'medium', 'low')),
  hazard_id int references hazard,
  founder_id uuid references account on delete set null,
  founder_name text not null,
  person_id uuid references account on delete set null,
  person_name text not null,
  -- Who helps, as `{ id, name }`.
  helpers jsonb not null default '[]',
  processor_id uuid references account on delete set null,
  processor_name text not null default '',
  closer_id uuid references account on delete set null,
  closed_from text check (closed_from in ('undispatched', 'dispatched')),
  alarm_at timestamptz,
  created_at timestamptz not null,
  dealt_at timestamptz,
  accepted_at timestamptz,
  closed_at timestamptz,
  valid_days int not null check (valid_days between 1 and 90),
  reminder_days int not null check (reminder_days between 1 and 30),
  working_days_only boolean not null,
  -- What happened to its clock; what has run is computed of it.
  clock jsonb not null,
  -- When it will have taken too long, by its clock or its due day, if nothing happens to it. Null: its clock stands.
  overdue_at timestamptz,
  paused_why text check (paused_why in ('access', 'parts', 'outage', 'customer')),
  cause text not null default '',
  done text not null default '',
  parts text not null default '',
  labour_min int,
  close_reason text check (close_reason in ('falseAlarm', 'duplicate', 'cancelled', 'notFound')),
  duplicate_of int references work_order,
  verification jsonb,
  returns int not null default 0,
  reopened int not null default 0,
  version int not null default 1
);
-- A hazard has one open order.
create unique index work_order_open_once on work_order (hazard_id) where status in ('undispatched', 'dispatched', 'processed');
create index work_order_of_project on work_order (project_id, status);
create index work_order_of_gateway on work_order (gateway_id);
create index work_order_of_person on work_order (person_id) where status in ('dispatched', 'processed');
create index work_order_overdue on work_order (overdue_at) where status = 'dispatched';
create index work_order_processed on work_order (order_id) where status = 'processed';
create index work_order_accepted on work_order (accepted_at) where status = 'accepted';

-- What happened to an order and what was written about it, step by step; nothing of it is ever changed.
create table work_order_step (
  step_id bigint primary key generated always as identity,
  order_id int not null references work_order,
  -- Made by whoever acts, once per intent: what comes again does nothing more. Null: it happened by itself, or with the step before.
  act_id uuid,
  at timestamptz not null,
  act text not null,
  from_status text,
  to_status text not null,
  -- Null: the platform.
  actor_id uuid references account on delete set null,
  actor text,
  reason text not null default '',
  person text,
  until timestamptz,
  why text
);
create unique index work_order_step_once on work_order_step (act_id, order_id);
create index work_order_step_of_order on work_order_step (order_id, step_id);

-- Alarms that an order was made from, and those that joined it.
create table work_order_event (
  order_id int not null references work_order,
  event_id bigint not null references event,
  primary key (order_id, event_id)
);
create index work_order_event_of_event on work_order_event (event_id);

-- Numbers run on by owner and month: an owner's first of November 2026 is 202611-00001.
create table work_order_number (
  owner text not null,
  month text not null,
  last int not null,
  primary key (owner, month)
);

-- Whoever sees the project, or the gateway. They name people of the owner: an account that equipment is shared with reads none of them.
alter table hazard enable row level security;
alter table work_order enable row level security;
create policy seen on hazard for select using (
  (select sees_all()) or (select seen_account()) is not null
    and (project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[])));
create policy seen on work_order for select using (
  (select sees_all()) or (select seen_account()) is not null
    and (project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[])));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on hazard, work_order to linewarden_seen;
  end if;
end $$;
