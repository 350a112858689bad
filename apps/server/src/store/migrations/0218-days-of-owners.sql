-- Days that an owner has entered for all of their projects: they go before the bundled holidays, and behind what a project enters itself. Null:
-- the projects that are the installation's own.
create table owner_day_class (
  owner_id uuid references account on delete cascade,
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  class text not null check (class in ('workday', 'restday', 'holiday', 'special')),
  name text not null,
  origin text not null check (origin in ('import', 'person')),
  changed_at timestamptz not null,
  changed_by text not null,
  unique nulls not distinct (owner_id, day)
);
alter table owner_day_class enable row level security;

-- A project that comes to another owner goes by their days.
create trigger timers_of_owner_are_stale after update of owner_id on project
  for each row when (old.owner_id is distinct from new.owner_id) execute function timers_of_zone_are_stale();
create trigger project_owner_is_checked after update of owner_id on project
  for each row when (old.owner_id is distinct from new.owner_id) execute function timer_marks_project();
