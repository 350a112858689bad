-- A linkage may have a work order made: `{ title, priority, personId, personName }`.
alter table linkage_action drop constraint linkage_action_kind_check;
alter table linkage_action add constraint linkage_action_kind_check check (kind in ('trip', 'close', 'scene', 'raise', 'workorder'));
alter table linkage_action add column work_order jsonb;
alter table linkage_due drop constraint linkage_due_kind_check;
alter table linkage_due add constraint linkage_due_kind_check check (kind in ('trip', 'close', 'scene', 'raise', 'workorder'));
alter table linkage_due add column work_order jsonb;

-- Orders that firings ask for, of each run and line one; made once the firing is stored, by whichever server comes first.
create table linkage_order (
  -- Of what comes after a delay the run is stored at the end of its transaction.
  run_id uuid not null references automation_run on delete cascade deferrable initially deferred,
  line_id int not null references line,
  linkage_id int not null references linkage on delete cascade,
  project_id int not null references project,
  -- As the linkage was called, and whose it was then.
  name text not null,
  owner_id uuid references account on delete set null,
  wanted jsonb not null,
  at timestamptz not null,
  -- Null: not yet.
  outcome text check (outcome in ('made', 'joined', 'refused')),
  why text check (why in ('owner', 'gone')),
  order_id int references work_order,
  primary key (run_id, line_id),
  check ((outcome is not null and outcome <> 'refused') = (order_id is not null)),
  check ((outcome is not null and outcome = 'refused') = (why is not null))
);
create index linkage_order_waiting on linkage_order (at) where outcome is null;
create index linkage_order_of on linkage_order (linkage_id, line_id, order_id) where order_id is not null;

-- What people see of it they see beside its run, line by line.
alter table linkage_order enable row level security;
