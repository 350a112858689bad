-- Operating equipment: every action of the families goes through the ledger, lines carry tags, self-tests and plans, groups run as one.

alter table command drop constraint command_action_check;
alter table command
  add constraint command_action_check check (action in ('trip', 'close', 'silence', 'selfTest', 'set')),
  add trip_ms int,
  add run_id uuid;
create index command_issued on command (issued_at desc);
create index command_actor on command (account_id, issued_at desc);

-- What happened to a command, step by step, as it became known. Only ever appended to.
create table command_step (
  command_id uuid not null references command on delete cascade,
  step_no int not null,
  state text not null,
  at timestamptz not null,
  evidence jsonb not null,
  primary key (command_id, step_no)
);

-- Lock-out / tag-out: each holder hangs their own and takes their own off; while one hangs, nobody and nothing closes the line.
create table line_tag (
  tag_id uuid primary key,
  line_id int not null references line,
  kind text not null check (kind in ('lock', 'tag')),
  account_id uuid references account on delete set null,
  holder text not null,
  reason text not null,
  photo bytea,
  photo_type text check (photo_type in ('image/jpeg', 'image/png', 'image/webp')),
  placed_at timestamptz not null,
  removed_at timestamptz,
  removed_by text,
  removed_reason text,
  check ((photo is null) = (photo_type is null))
);
create index line_tag_line on line_tag (line_id, placed_at desc);
create index line_tag_hanging on line_tag (line_id) where removed_at is null;

-- An inspection of a gateway's equipment; the lock it puts on each line stands in line.inspection_until.
create table inspection (
  inspection_id uuid primary key,
  gateway_id int not null references gateway,
  controller_id text,
  account_id uuid references account on delete set null,
  actor text not null,
  started_at timestamptz not null,
  until timestamptz not null
);
create index inspection_gateway on inspection (gateway_id, started_at desc);

-- One leakage self-test that was carried out, with the trip time the equipment measured; null when it did not trip.
create table self_test (
  command_id uuid primary key references command,
  line_id int not null references line,
  at timestamptz not null,
  actor text not null,
  result text not null check (result in ('passed', 'failed')),
  trip_ms int,
  limit_ms int not null,
  residual_ma double precision,
  model text not null
);
create index self_test_line on self_test (line_id, at desc);

-- How often a line is to be tested; a line without a row: the usual 31 days.
create table detection_plan (
  line_id int primary key references line,
  enabled boolean not null,
  every_days int not null check (every_days between 1 and 31),
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null
);

-- Civil times of a project in which no self-test may cut the supply. Days: bit 0 Monday to bit 6 Sunday, the day on which it begins.
create table quiet_hours (
  quiet_id bigint generated always as identity primary key,
  project_id int not null references project,
  days smallint not null check (days between 1 and 127),
  from_minute smallint not null check (from_minute between 0 and 1439),
  to_minute smallint not null check (to_minute between 0 and 1439)
);
create index quiet_hours_project on quiet_hours (project_id);

-- Several lines operated as one intent: a group trip or close, a campaign of self-tests.
create table operation_run (
  run_id uuid primary key,
  action text not null check (action in ('trip', 'close', 'selfTest')),
  account_id uuid references account on delete set null,
  actor text not null,
  reason text not null,
  stagger_ms int not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  stopped_by text
);
create table operation_run_line (
  run_id uuid not null references operation_run on delete cascade,
  position int not null,
  line_id int not null references line,
  command_id uuid not null,
  state text not null check (state in ('waiting', 'ordered', 'refused', 'missed', 'stopped')),
  refusal jsonb,
  primary key (run_id, position)
);
create index operation_run_open on operation_run (started_at) where ended_at is null;
create index operation_run_account on operation_run (account_id, started_at desc);
create index operation_run_line_command on operation_run_line (command_id);

-- Automatic re-closing of a line, with the rights of whoever set it at the time it fires.
create table reclosure (
  line_id int primary key references line,
  enabled boolean not null,
  delays_s int[] not null,
  account_id uuid references account on delete set null,
  actor text not null,
  attempts int not null default 0,
  next_at timestamptz,
  last_try_at timestamptz,
  locked_out_at timestamptz,
  version int not null default 1,
  changed_at timestamptz not null
);

-- The line that feeds this one; null: the supply itself, or not known. What a trip takes down with it follows from here.
alter table line add fed_by int references line, add check (fed_by <> line_id);
create index line_fed_by on line (fed_by) where fed_by is not null;
create index audit_self_test on audit ((after ->> 'commandId')) where action = 'selfTest.result';
