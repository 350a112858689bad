-- Linkages: what reports bring about by themselves. Who saved one last is its owner, with whose rights it fires. A removed one stays for its log.
create table linkage (
  linkage_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null check (char_length(name) between 1 and 32),
  enabled boolean not null,
  mode text not null check (mode in ('shadow', 'live')),
  match text not null check (match in ('all', 'any')),
  active_hours jsonb not null,
  cooldown_s int not null check (cooldown_s between 60 and 86400),
  max_per_hour int not null check (max_per_hour between 1 and 20),
  max_per_day int not null check (max_per_day between 1 and 100),
  may_close boolean not null,
  -- It has stopped itself until a person clears that.
  halted_at timestamptz,
  halted_why text check (halted_why in ('maxPerHour', 'maxPerDay', 'closesPerHour', 'broken')),
  -- Since when it only logs; null: it orders.
  shadow_since timestamptz,
  owner_id uuid references account on delete set null,
  owner_name text not null,
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,
  removed_at timestamptz,
  check ((halted_at is null) = (halted_why is null)),
  check ((mode = 'shadow') = (shadow_since is not null))
);
create unique index linkage_name_once on linkage (project_id, lower(name)) where removed_at is null;

create table linkage_condition (
  linkage_id int not null references linkage on delete cascade,
  position smallint not null,
  kind text not null check (kind in ('point', 'state', 'alarm', 'link')),
  line_id int not null references line,
  key text not null,
  op text not null check (op in ('>', '>=', '<', '<=', '=', '!=')),
  value float8 not null,
  release float8 not null check (release >= 0),
  for_s int not null check (for_s between 0 and 86400),
  primary key (linkage_id, position)
);
create index linkage_condition_of_line on linkage_condition (line_id);

create table linkage_action (
  linkage_id int not null references linkage on delete cascade,
  position smallint not null,
  kind text not null check (kind in ('trip', 'close', 'scene', 'raise')),
  line_id int references line,
  scene_id int references scene,
  delay_s int not null check (delay_s between 0 and 3600),
  primary key (linkage_id, position),
  check ((kind = 'scene') = (scene_id is not null)),
  check ((kind = 'scene') = (line_id is null))
);
create index linkage_action_of_line on linkage_action (line_id) where line_id is not null;
create index linkage_action_of_scene on linkage_action (scene_id) where scene_id is not null;

-- Where the conditions of a linkage stand, with their clocks. `rises`: how often it has come to be true; each is acted on by one server, once.
create table linkage_state (
  linkage_id int primary key references linkage on delete cascade,
  version int not null,
  rises int not null default 0,
  rose_at timestamptz,
  state jsonb not null,
  at timestamptz not null
);

-- What a firing does later, by its place among the actions of its linkage.
create table linkage_due (
  run_id uuid primary key,
  linkage_id int not null references linkage on delete cascade,
  parent_run_id uuid not null references automation_run on delete cascade,
  version int not null,
  position smallint not null,
  due_at timestamptz not null
);
create index linkage_due_at on linkage_due (due_at);
create index linkage_due_of on linkage_due (linkage_id);

-- What a linkage has raised and not taken back, and which run of it did.
create table linkage_raised (
  linkage_id int not null references linkage on delete cascade,
  line_id int not null references line,
  run_id uuid not null references automation_run on delete cascade,
  at timestamptz not null,
  primary key (linkage_id, line_id)
);
create index linkage_raised_of_line on linkage_raised (line_id);

-- When one nearly fired, and what kept it from that; of each kind at most one in five minutes, kept for 30 days.
create table linkage_near (
  linkage_id int not null references linkage on delete cascade,
  project_id int not null references project,
  why text not null,
  -- Of the five minutes in which it was.
  slot bigint not null,
  at timestamptz not null,
  name text not null,
  mode text not null,
  trace jsonb not null check (octet_length(trace::text) <= 16384),
  primary key (linkage_id, why, slot)
);
create index linkage_near_at on linkage_near (at);
create index linkage_near_of_project on linkage_near (project_id, at desc);

-- Whoever sees the project, or a line of it that is in it: what was moved to another project takes no linkage along.
alter table linkage enable row level security;
alter table linkage_condition enable row level security;
alter table linkage_action enable row level security;
alter table linkage_state enable row level security;
alter table linkage_due enable row level security;
alter table linkage_raised enable row level security;
alter table linkage_near enable row level security;
create policy seen on linkage_condition for select using (
  (select sees_all()) or exists (select from line where line.line_id = linkage_condition.line_id));
create policy seen on linkage_action for select using (
  (select sees_all()) or (line_id is not null and exists (select from line where line.line_id = linkage_action.line_id))
  or (scene_id is not null and exists (select from scene where scene.scene_id = linkage_action.scene_id)));
create policy seen on linkage for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (
    select from linkage_condition c join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where c.linkage_id = linkage.linkage_id and gateway.project_id = linkage.project_id)
  or exists (
    select from linkage_action a join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where a.linkage_id = linkage.linkage_id and gateway.project_id = linkage.project_id));
create policy seen on linkage_state for select using (exists (select from linkage l where l.linkage_id = linkage_state.linkage_id));
create policy seen on linkage_due for select using (exists (select from linkage l where l.linkage_id = linkage_due.linkage_id));
create policy seen on linkage_raised for select using (exists (select from line where line.line_id = linkage_raised.line_id));
create policy seen on linkage_near for select using (exists (select from linkage l where l.linkage_id = linkage_near.linkage_id));
-- A run that ordered nothing has no lines by which it could be seen.
create policy seen_of_linkage on automation_run for select using (
  source = 'linkage' and exists (select from linkage l where l.linkage_id = automation_run.source_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on linkage, linkage_condition, linkage_action, linkage_state, linkage_due, linkage_raised, linkage_near to linewarden_seen;
  end if;
end $$;
