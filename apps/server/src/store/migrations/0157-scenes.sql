-- Several lines and how each is to stand, under one name, set by one press. A scene that was removed stays for its log.
create table scene (
  scene_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null check (char_length(name) between 1 and 32),
  icon text not null,
  if_refused text not null check (if_refused in ('goOn', 'stopCloses')),
  enabled boolean not null,
  -- Whoever saved it last. Null: that account is gone.
  owner_id uuid references account on delete set null,
  owner_name text not null,
  version int not null default 1,
  changed_at timestamptz not null,
  removed_at timestamptz
);
create unique index scene_name_once on scene (project_id, lower(name)) where removed_at is null;

-- A line is in a scene once: two words on one line cannot both be in force.
create table scene_item (
  scene_id int not null references scene on delete cascade,
  line_id int not null references line on delete cascade,
  action text not null check (action in ('trip', 'close')),
  -- Closes go by it, the lowest first; of the same number in the order in which they stand.
  turn int not null check (turn between 0 and 999),
  position int not null,
  primary key (scene_id, line_id)
);
create index scene_item_of_line on scene_item (line_id);

-- Whoever sees the project, or a line of it.
alter table scene enable row level security;
alter table scene_item enable row level security;
create policy seen on scene for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (select from scene_item where scene_item.scene_id = scene.scene_id));
create policy seen on scene_item for select using (
  (select sees_all()) or exists (select from line where line.line_id = scene_item.line_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on scene, scene_item to linewarden_seen;
  end if;
end $$;
