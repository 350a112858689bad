-- Timers: who saved one last is its owner, with whose rights it fires. A removed one stays for its log.
create table timer (
  timer_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  function text not null check (function in ('switch', 'scene', 'selfTest')),
  -- Period, points and exceptions as the rules have them, in civil time of the project.
  schedule jsonb not null,
  scene_id int,
  keep_while_wanted boolean not null,
  enabled boolean not null,
  owner_id uuid references account on delete set null,
  owner_name text not null,
  skip_since timestamptz,
  skip_until timestamptz,
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,
  removed_at timestamptz,
  check ((skip_since is null) = (skip_until is null)),
  check ((function = 'scene') = (scene_id is not null))
);
create unique index timer_name_once on timer (project_id, lower(name)) where removed_at is null;

create table timer_line (
  timer_id int not null references timer on delete cascade,
  position smallint not null,
  line_id int not null references line,
  primary key (timer_id, position)
);
create unique index timer_line_once on timer_line (line_id, timer_id);

-- What is due next of a timer that is enabled; nothing else says so. Made anew in the transaction in which the timer, its calendar or its zone changes.
create table timer_due (
  timer_id int primary key references timer on delete cascade,
  version int not null,
  -- The zone by which it was made: of a project whose zone has changed since it is made anew.
  time_zone text not null,
  point_no smallint not null,
  due_at timestamptz not null,
  action text not null check (action in ('trip', 'close', 'run', 'test')),
  skip text check (skip in ('skipOnce', 'noSun')),
  merged smallint[] not null default '{}'
);
create index timer_due_at on timer_due (due_at, timer_id);

-- Days that a project has entered: they go before the bundled holidays.
create table day_class (
  project_id int not null references project,
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  class text not null check (class in ('workday', 'restday', 'holiday', 'special')),
  name text not null,
  origin text not null check (origin in ('import', 'person')),
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (project_id, day)
);

alter table timer enable row level security;
alter table timer_line enable row level security;
alter table timer_due enable row level security;
alter table day_class enable row level security;
create policy seen on timer_line for select using ((select sees_all()) or exists (select from line where line.line_id = timer_line.line_id));
create policy seen on timer for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (select from timer_line where timer_line.timer_id = timer.timer_id));
create policy seen on timer_due for select using (exists (select from timer where timer.timer_id = timer_due.timer_id));
create policy seen on day_class for select using (exists (select from project where project.project_id = day_class.project_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on timer, timer_line, timer_due, day_class to linewarden_seen;
  end if;
end $$;
