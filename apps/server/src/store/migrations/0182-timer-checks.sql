-- The timers of a project are checked for conflicts, owners and due rows, every night and after changes. A change leaves a mark and waits for
-- nobody; whoever checks takes the marks of a project with it.
create table timer_check (
  project_id int primary key references project,
  due_at timestamptz not null,
  checked_at timestamptz,
  -- Grows with each claim: what an older claim has found is not stored.
  generation int not null default 0,
  -- Whoever owned timers and is gone, or may not switch their lines any more, as it was announced.
  orphan_owners text[] not null default '{}'
);
create table timer_check_mark (
  mark_id bigint primary key generated always as identity,
  project_id int not null references project
);
create index timer_check_mark_of_project on timer_check_mark (project_id);

-- What the last check found of a timer; no row: nothing.
create table timer_conflict (
  timer_id int primary key references timer on delete cascade,
  keys text[] not null,
  checked_at timestamptz not null
);
alter table timer_conflict enable row level security;
create policy seen on timer_conflict for select using (exists (select from timer where timer.timer_id = timer_conflict.timer_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on timer_conflict to linewarden_seen;
  end if;
end $$;
create index timer_of_owner on timer (owner_id) where removed_at is null;

create function timer_marks_project() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id) values (new.project_id);
  return null;
end $$;
create trigger timer_is_checked after insert or update on timer for each row execute function timer_marks_project();
create trigger scene_is_checked after insert or update on scene for each row execute function timer_marks_project();
create trigger project_is_checked after update of time_zone, latitude, longitude, quiet_version on project
  for each row execute function timer_marks_project();

create function days_mark_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id) select distinct project_id from changed;
  return null;
end $$;
create trigger days_are_checked after insert on day_class referencing new table as changed
  for each statement execute function days_mark_projects();
create trigger days_gone_are_checked after delete on day_class referencing old table as changed
  for each statement execute function days_mark_projects();

create function tag_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select distinct timer.project_id from timer join timer_line using (timer_id) join line using (line_id) join device using (device_id)
    where timer.removed_at is null and (timer_line.line_id = new.line_id or device.gateway_id = new.gateway_id);
  return null;
end $$;
create trigger tag_is_checked after insert or update of removed_at on tag for each row execute function tag_marks_projects();

-- Whoever may do less, or is gone, leaves timers without an owner.
create function account_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select distinct project_id from timer where owner_id = coalesce(new.account_id, old.account_id) and removed_at is null;
  return null;
end $$;
create trigger account_is_checked after update of disabled, removed_at, role_id, owner_id, kind on account
  for each row execute function account_marks_projects();
create trigger account_project_is_checked after insert or delete on account_project
  for each row execute function account_marks_projects();
create trigger account_gateway_is_checked after insert or delete on account_gateway
  for each row execute function account_marks_projects();
create function role_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select distinct project_id from timer join account on account.account_id = timer.owner_id
    where account.role_id = new.role_id and timer.removed_at is null;
  return null;
end $$;
create trigger role_is_checked after update on role for each row execute function role_marks_projects();

insert into timer_check_mark (project_id) select distinct project_id from timer where removed_at is null;
