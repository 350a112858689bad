-- Hazards by themselves: what showed each, everything that happened to it, and how far it is proved while no order sees to it.
alter table hazard add column verification jsonb;
alter table hazard add column version int not null default 1;
-- Whose day is over: on one server it is open again.
create index hazard_risk_over on hazard (risk_until) where state = 'accepted';
create index hazard_there on hazard (hazard_id) where state <> 'gone';

-- What showed it: an alarm or a finding by its event, a deduction by its health check, and so on. What is kept no more is still counted.
create table hazard_source (
  hazard_id int not null references hazard,
  source text not null check (source in ('alarm', 'finding', 'selfTest', 'patrol', 'exam', 'person')),
  source_id text not null,
  at timestamptz not null,
  level text not null check (level in ('critical', 'high', 'medium', 'low')),
  primary key (hazard_id, source, source_id)
);
create index hazard_source_of on hazard_source (source, source_id);

-- Everything that happened to it, step by step; nothing of it is ever changed.
create table hazard_step (
  step_id bigint primary key generated always as identity,
  hazard_id int not null references hazard,
  -- Made by whoever acts, once per intent. Null: it happened by itself, or by what was done to its order.
  act_id uuid unique,
  at timestamptz not null,
  act text not null check (act in ('found', 'seen', 'graver', 'order', 'accept', 'expire', 'verified')),
  from_state text,
  to_state text not null,
  -- Null: the platform.
  actor_id uuid references account on delete set null,
  actor text,
  reason text not null default '',
  until timestamptz,
  source text,
  source_id text,
  order_id int references work_order
);
create index hazard_step_of on hazard_step (hazard_id, step_id);

-- Those of before: what they were made from, and when they were found.
insert into hazard_source (hazard_id, source, source_id, at, level)
  select distinct on (hazard_id, source, event_id) hazard_id, source, event_id::text, coalesce(alarm_at, created_at), level
  from work_order_event join work_order using (order_id) join hazard using (hazard_id)
  order by hazard_id, source, event_id, order_id;
insert into hazard_step (hazard_id, at, act, to_state, source)
  select hazard_id, first_seen, 'found', 'open', source from hazard;
insert into hazard_step (hazard_id, at, act, from_state, to_state)
  select hazard_id, last_seen, 'order', 'open', state from hazard where state <> 'open';

-- What a health check found makes hazards once, on however many servers. Of those that were over before nobody is told.
alter table health_check add column hazards_at timestamptz;
update health_check set hazards_at = ended_at where state = 'done';
create index health_check_hazards_due on health_check (test_id) where state = 'done' and hazards_at is null;
-- What was last found on a line.
create index health_check_line_of on health_check_line (line_id, test_id);
