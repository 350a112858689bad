-- Rules by which orders are made of alarms, of one project each. None is enabled until somebody does so.
create table order_rule (
  rule_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  enabled boolean not null,
  -- Since when it is in force: of what was raised before it sends nobody.
  enabled_at timestamptz,
  keys text[] not null,
  priorities text[] not null,
  after_min int not null check (after_min between 0 and 1440),
  type text not null check (type in ('repair', 'inspection')),
  -- Null: that of the alarm.
  priority text check (priority in ('critical', 'high', 'medium', 'low')),
  person_id uuid references account on delete set null,
  -- People in turn, `{ people, everyDays, fromDay }`; null: one person, or nobody yet.
  rota jsonb,
  valid_days int not null check (valid_days between 1 and 90),
  reminder_days int not null check (reminder_days between 1 and 30),
  working_days_only boolean not null,
  -- Who wrote it last: its orders are theirs.
  owner_id uuid references account on delete set null,
  owner_name text not null,
  changed_at timestamptz not null,
  version int not null default 1
);
create index order_rule_of_project on order_rule (project_id, rule_id);
create index order_rule_enabled on order_rule (rule_id) where enabled;

-- What became of an alarm by a rule: once, whichever rule it was and whichever server.
create table order_rule_event (
  event_id bigint primary key,
  project_id int not null references project,
  rule_id int not null,
  order_id int not null references work_order,
  outcome text not null check (outcome in ('made', 'joined', 'summary')),
  at timestamptz not null
);
create index order_rule_event_made on order_rule_event (project_id, at) where outcome = 'made';
create index order_rule_event_summary on order_rule_event (project_id, at) where outcome = 'summary';

-- They name people of the owner: an account that equipment is shared with reads none of them.
alter table order_rule enable row level security;
create policy seen on order_rule for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on order_rule to linewarden_seen;
  end if;
end $$;
