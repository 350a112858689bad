-- Rules of early warning as data: of a project, or the default of a tenant. Where there is neither, they are built in. A row is never taken
-- away: one that was restored stays with its version, so that a version of a rule is one thing for ever.
create table warning_rule (
  rule_id int primary key generated always as identity,
  -- Whose default it is; null with no project: the installation's own.
  owner_id uuid references account,
  project_id int references project,
  key text not null,
  -- False: given up again for the level above.
  in_force boolean not null default true,
  enabled boolean not null,
  params jsonb not null,
  priority text not null check (priority in ('critical', 'high', 'medium', 'low')),
  target text not null check (target in ('all', 'families', 'lines')),
  families text[] not null default '{}',
  line_ids int[] not null default '{}',
  except_line_ids int[] not null default '{}',
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,
  -- A project's rule goes with the project, whoever owns it.
  check (project_id is null or owner_id is null)
);
create unique index warning_rule_once on warning_rule (project_id, owner_id, key) nulls not distinct;

-- Who changed what of a rule.
create table warning_rule_change (
  rule_id int not null references warning_rule,
  version int not null,
  at timestamptz not null,
  actor text not null,
  reason text not null,
  restored boolean not null,
  before jsonb not null,
  after jsonb not null,
  primary key (rule_id, version)
);
create function warning_rule_change_stays() returns trigger language plpgsql as
  $$ begin raise exception 'the history of a rule is append-only'; end $$;
create trigger warning_rule_change_append_only before update on warning_rule_change
  for each statement execute function warning_rule_change_stays();

alter table warning_rule enable row level security;
alter table warning_rule_change enable row level security;
create policy seen on warning_rule for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or (project_id is null and (select sees_tree()) and owner_id is not distinct from (select seen_tree())));
create policy seen on warning_rule_change for select using (
  exists (select from warning_rule where warning_rule.rule_id = warning_rule_change.rule_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on warning_rule, warning_rule_change to linewarden_seen;
  end if;
end $$;
