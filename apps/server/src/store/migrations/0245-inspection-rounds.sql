-- A hazard of a named place, and one of a project as a whole, has no gateway.
alter table hazard alter column gateway_id drop not null;
alter table hazard add column place text not null default '';
drop index hazard_open_once;
create unique index hazard_open_once on hazard
  (coalesce(gateway_id, 0), (case when gateway_id is null then project_id else 0 end), coalesce(device_id, 0), coalesce(line_id, 0), place, key)
  where state <> 'gone';

-- Plans of inspection rounds: where, how often, and what is asked.
create table inspection_plan (
  plan_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  kind text not null check (kind in ('online', 'onSite')),
  -- In the order of the route, as `{ kind, gatewayId, deviceId, controllerId, place, name }`.
  stops jsonb not null,
  left_out jsonb not null,
  own_items jsonb not null,
  signature text not null check (signature in ('none', 'inspector', 'both')),
  photo_on text not null check (photo_on in ('never', 'defect', 'always')),
  four_eyes boolean not null,
  cycle_every int not null check (cycle_every between 1 and 3650),
  cycle_unit text not null check (cycle_unit in ('day', 'week', 'month', 'year')),
  counts_from text not null check (counts_from in ('plan', 'completion')),
  -- Local days since 1970.
  first_due int not null,
  before_days int not null check (before_days between 0 and 180),
  after_days int not null check (after_days between 0 and 180),
  -- As `{ id, name }`; nobody: whoever may open the page.
  assignees jsonb not null,
  enabled boolean not null,
  -- Due dates up to this one have their rounds, or came before the plan.
  made_up_to int,
  -- Null: it is disabled, or waits for the completion of a round.
  next_due int,
  -- When the window of the next one opens.
  next_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  removed_at timestamptz,
  check ((next_due is null) = (next_at is null))
);
create unique index inspection_plan_name on inspection_plan (project_id, lower(name)) where removed_at is null;
create index inspection_plan_next on inspection_plan (next_at) where removed_at is null and next_at is not null;

create table inspection_round (
  round_id uuid primary key,
  number text not null,
  plan_id int references inspection_plan,
  project_id int not null references project,
  -- As they were called then.
  project_name text not null,
  name text not null,
  time_zone text not null,
  kind text not null check (kind in ('online', 'onSite')),
  state text not null check (state in ('planned', 'started', 'finished', 'approved', 'returned', 'lapsed', 'abandoned')),
  -- Null: between due dates, or without a plan.
  due_day int,
  from_day int,
  to_day int,
  lapses_at timestamptz,
  assignees jsonb not null,
  inspector_id uuid references account on delete set null,
  inspector_name text not null default '',
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  approver_id uuid references account on delete set null,
  approver_name text not null default '',
  decided_at timestamptz,
  reason text not null default '',
  signature text not null check (signature in ('none', 'inspector', 'both')),
  photo_on text not null check (photo_on in ('never', 'defect', 'always')),
  four_eyes boolean not null,
  -- What is asked, frozen when it is started: stops, and by list its items.
  stops jsonb not null default '[]',
  lists jsonb not null default '{}',
  progress jsonb,
  inspector_signature jsonb,
  approver_signature jsonb,
  -- Of an online round.
  lines int not null default 0,
  done int not null default 0,
  result jsonb,
  version int not null default 1
);
-- One of each due date, on however many servers.
create unique index inspection_round_due_once on inspection_round (plan_id, due_day) where due_day is not null;
-- A project is walked by one at a time.
create unique index inspection_round_walking on inspection_round (project_id) where kind = 'online' and state = 'started';
create index inspection_round_of_project on inspection_round (project_id, state);
create index inspection_round_of_plan on inspection_round (plan_id, due_day);
create index inspection_round_lapsing on inspection_round (lapses_at) where state = 'planned';

-- Who was at a stop, with which phone; the first takes it.
create table inspection_arrival (
  arrival_id bigint primary key generated always as identity,
  round_id uuid not null references inspection_round,
  project_id int not null,
  stop_id int not null,
  phone_id uuid not null,
  person_id uuid references account on delete set null,
  person_name text not null,
  how text not null check (how in ('qr', 'list')),
  reason text not null default '',
  phone_at timestamptz not null,
  server_at timestamptz not null,
  offset_ms bigint not null,
  unique (round_id, stop_id, phone_id)
);

-- Everything that was ever answered. Of an item the highest revision counts; nothing is changed or deleted.
create table inspection_answer (
  answer_id bigint primary key generated always as identity,
  round_id uuid not null references inspection_round,
  project_id int not null,
  stop_id int not null,
  item_id text not null,
  rev int not null,
  -- Of what it says, so that the same that comes again is nothing new.
  content_hash text not null,
  result text not null check (result in ('ok', 'defect', 'none', 'impossible')),
  value float8,
  choice text,
  note text not null,
  level text check (level in ('critical', 'high', 'medium', 'low')),
  photos jsonb not null,
  phone_at timestamptz not null,
  server_at timestamptz not null,
  offset_ms bigint not null,
  phone_id uuid not null,
  person_id uuid references account on delete set null,
  person_name text not null,
  hazard_id int references hazard,
  -- Where it was answered, whatever the round: what was found there once is looked for by it.
  at_place text not null,
  -- What it comes to: a figure out of its range is a defect whatever was pressed.
  comes_to text not null check (comes_to in ('ok', 'defect', 'none', 'impossible')),
  unique (round_id, stop_id, item_id, rev, content_hash)
);
create index inspection_answer_at on inspection_answer (project_id, at_place, item_id);

-- The sheet of a finished round, as it was signed, once for each time that it was finished.
create table inspection_sheet (
  round_id uuid not null references inspection_round,
  revision int not null,
  project_id int not null,
  number text not null,
  sheet text not null,
  hash text not null,
  signed_at timestamptz not null,
  approver_name text,
  approved_at timestamptz,
  approver_signature jsonb,
  approval_hash text,
  primary key (round_id, revision)
);

-- What an online round found on a line. The line may be gone since.
create table inspection_line (
  round_id uuid not null references inspection_round,
  line_id int not null,
  project_id int not null,
  line_name text not null,
  gateway_name text not null,
  grade text not null check (grade in ('ok', 'defect', 'unknown')),
  found jsonb not null,
  primary key (round_id, line_id)
);

-- Codes on labels. One of a thing is valid; whoever has an old one reads nothing by it.
create table inspection_code (
  code text primary key,
  project_id int not null references project,
  gateway_id int references gateway,
  device_id int references device on delete cascade,
  place text,
  issued_at timestamptz not null,
  dead_at timestamptz,
  check ((gateway_id is not null)::int + (device_id is not null)::int + (place is not null)::int = 1)
);
create unique index inspection_code_of_gateway on inspection_code (gateway_id) where gateway_id is not null and dead_at is null;
create unique index inspection_code_of_device on inspection_code (device_id) where device_id is not null and dead_at is null;
create unique index inspection_code_of_place on inspection_code (project_id, place) where place is not null and dead_at is null;

create table inspection_number (
  owner text not null,
  month text not null,
  last int not null,
  primary key (owner, month)
);

-- Whoever sees the project. They name people: an account that equipment is shared with reads none of them.
alter table inspection_plan enable row level security;
alter table inspection_round enable row level security;
alter table inspection_arrival enable row level security;
alter table inspection_answer enable row level security;
alter table inspection_sheet enable row level security;
alter table inspection_line enable row level security;
create policy seen on inspection_plan for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
create policy seen on inspection_round for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
create policy seen on inspection_arrival for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
create policy seen on inspection_answer for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
create policy seen on inspection_sheet for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
create policy seen on inspection_line for select using (
  (select sees_all()) or (select seen_account()) is not null and project_id = any ((select seen_projects())::int[]));
alter table inspection_code enable row level security;
alter table inspection_number enable row level security;
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on inspection_plan, inspection_round, inspection_arrival, inspection_answer, inspection_sheet, inspection_line to linewarden_seen;
  end if;
end $$;
