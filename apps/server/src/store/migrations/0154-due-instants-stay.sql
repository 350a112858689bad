-- A due instant stays until it is claimed, whatever is changed meanwhile. Of a timer that was changed after it became due: when, and the lines it
-- had: they are tripped still, and nothing of it is closed.
alter table timer_due add column changed_at timestamptz;
alter table timer_due add column line_ids int[];
alter table timer_due add check ((changed_at is null) = (line_ids is null));
-- Made by another zone or by other time zone data than those of now: what is not due yet is made anew.
alter table timer_due add column stale boolean not null default false;
alter table timer_due add column zone_data text not null default '';
create index timer_due_stale on timer_due (timer_id) where stale;
-- The instants that a timer has had, whatever its points are called by now.
create index automation_run_instant on automation_run (source_id, due_at) where source = 'timer';

create function timers_of_zone_are_stale() returns trigger language plpgsql as $$
begin
  update timer_due set stale = true from timer where timer.timer_id = timer_due.timer_id and timer.project_id = new.project_id;
  return null;
end $$;
create trigger timers_of_zone_are_stale after update of time_zone on project
  for each row when (old.time_zone is distinct from new.time_zone) execute function timers_of_zone_are_stale();
