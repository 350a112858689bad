-- Scenes that timers and linkages run: such a run is one of its own, with the run that fired it as its parent. The lines of a timer are its own, or
-- those of its scene as that is now.
alter table timer add foreign key (scene_id) references scene;
create index timer_of_scene on timer (scene_id) where scene_id is not null;
create index automation_run_of_parent on automation_run (parent_run_id) where parent_run_id is not null;
create view timer_acts with (security_invoker = true) as
  select timer_id, line_id from timer_line
  union all
  select timer.timer_id, scene_item.line_id from timer join scene_item using (scene_id);

-- The run that fired the one that a group operation is part of.
alter table operation_run add column outer_run_id uuid references automation_run on delete cascade;
create index operation_run_of_outer on operation_run (outer_run_id) where outer_run_id is not null;

-- A timer that runs a scene is for whoever sees a line of that scene in its project, as its run is; the run of a scene shows which run fired it.
drop policy seen on timer;
create policy seen on timer for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (
    select from timer_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where timer_line.timer_id = timer.timer_id and gateway.project_id = timer.project_id)
  or scene_id is not null and exists (
    select from scene_item join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where scene_item.scene_id = timer.scene_id and gateway.project_id = timer.project_id));
create policy seen_of_outer on automation_run for select using (
  exists (
    select from operation_run join operation_run_line using (run_id) join line using (line_id) join device using (device_id)
      join gateway using (gateway_id)
    where operation_run.outer_run_id = automation_run.run_id and gateway.project_id = automation_run.project_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on timer_acts to linewarden_seen;
  end if;
end $$;

create or replace function tag_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select distinct timer.project_id from timer join timer_acts using (timer_id) join line using (line_id) join device using (device_id)
    where timer.removed_at is null and (timer_acts.line_id = new.line_id or device.gateway_id = new.gateway_id);
  return null;
end $$;
