-- What is written over the built-in rationalisation sheet: for a project, or as the default of a tenant. A row is never taken away: one that
-- was given up stays with its version.
create table alarm_rationale (
  rationale_id int primary key generated always as identity,
  -- Whose default it is; null with no project: the installation's own.
  owner_id uuid references account,
  project_id int references project,
  key text not null,
  -- False: given up again for the level above.
  in_force boolean not null default true,
  texts jsonb not null,
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,
  -- What is written for a project goes with the project, whoever owns it.
  check (project_id is null or owner_id is null)
);
create unique index alarm_rationale_once on alarm_rationale (project_id, owner_id, key) nulls not distinct;

-- Who changed what of it. `before` null: there was no answer; `after` null: there is none any more.
create table alarm_rationale_change (
  rationale_id int not null references alarm_rationale,
  version int not null,
  at timestamptz not null,
  actor text not null,
  reason text not null,
  restored boolean not null,
  before jsonb,
  after jsonb,
  primary key (rationale_id, version)
);
create function alarm_rationale_change_stays() returns trigger language plpgsql as
  $$ begin raise exception 'the history of the rationalisation sheet is append-only'; end $$;
create trigger alarm_rationale_change_append_only before update on alarm_rationale_change
  for each statement execute function alarm_rationale_change_stays();

alter table alarm_rationale enable row level security;
alter table alarm_rationale_change enable row level security;
create policy seen on alarm_rationale for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or (project_id is null and (select sees_tree()) and owner_id is not distinct from (select seen_tree())));
create policy seen on alarm_rationale_change for select using (
  exists (select from alarm_rationale where alarm_rationale.rationale_id = alarm_rationale_change.rationale_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on alarm_rationale, alarm_rationale_change to linewarden_seen;
  end if;
end $$;
