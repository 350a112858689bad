-- What happened by itself: one row for each due instant of a timer, and for each time that a scene or a linkage ran. Its lines are those of the
-- group operations that it made, one for trips and one for closes. Ids are made of source, point and instant, so that nothing runs twice.
create table automation_run (
  run_id uuid primary key,
  source text not null check (source in ('timer', 'scene', 'linkage')),
  source_id int not null,
  project_id int not null references project,
  -- As it was called then.
  name text not null,
  -- Of a timer: which of its points, and when it was due; null of what a person or a message brought about.
  point_no smallint,
  due_at timestamptz,
  claimed_at timestamptz not null,
  ended_at timestamptz,
  state text not null check (state in ('running', 'done', 'partly', 'refused', 'stopped', 'missed', 'skipped', 'merged')),
  why text,
  account_id uuid references account on delete set null,
  actor text not null,
  stopped_by text,
  -- Runs that led to this one, the first before the others.
  cause uuid[] not null default '{}' check (cardinality(cause) <= 3),
  parent_run_id uuid references automation_run,
  trace jsonb not null default '{}' check (octet_length(trace::text) <= 16384),
  check ((state = 'running') = (ended_at is null)),
  check ((point_no is null) = (due_at is null))
);
create unique index automation_run_once on automation_run (source, source_id, point_no, due_at) where due_at is not null;
create index automation_run_of_source on automation_run (source, source_id, claimed_at desc);
create index automation_run_of_project on automation_run (project_id, claimed_at desc);
create index automation_run_going_on on automation_run (claimed_at) where ended_at is null;

alter table operation_run add column automation_run_id uuid references automation_run on delete cascade;
create index operation_run_of_automation on operation_run (automation_run_id) where automation_run_id is not null;
-- A line that automation leaves out, and why: a person's word, another timer that still wants it, or it is so already.
alter table operation_run_line drop constraint operation_run_line_state_check;
alter table operation_run_line add constraint operation_run_line_state_check
  check (state in ('waiting', 'ordered', 'refused', 'missed', 'stopped', 'skipped'));

-- Whoever sees the project, or a line that it was about.
alter table automation_run enable row level security;
create policy seen on automation_run for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (select from operation_run join operation_run_line using (run_id) where operation_run.automation_run_id = automation_run.run_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on automation_run to linewarden_seen;
  end if;
end $$;
