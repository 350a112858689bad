-- A timer, and what it did, is for whoever sees its project or one of its lines that is in it: a line that was moved to another project, perhaps
-- to another tenant's, takes along neither.
drop policy seen on timer;
create policy seen on timer for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (
    select from timer_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where timer_line.timer_id = timer.timer_id and gateway.project_id = timer.project_id));
drop policy seen on automation_run;
create policy seen on automation_run for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (
    select from operation_run join operation_run_line using (run_id) join line using (line_id) join device using (device_id)
      join gateway using (gateway_id)
    where operation_run.automation_run_id = automation_run.run_id and gateway.project_id = automation_run.project_id));
