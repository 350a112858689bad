-- A row is tried against the policies of its table in turn. Whoever sees all, or its project, is answered by "seen" already: asked first
-- here as well, no line of the project is looked through for each run of a log.
alter policy seen_of_outer on automation_run using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (
    select from operation_run join operation_run_line using (run_id) join line using (line_id) join device using (device_id)
      join gateway using (gateway_id)
    where operation_run.outer_run_id = automation_run.run_id and gateway.project_id = automation_run.project_id));
alter policy seen_of_linkage on automation_run using (
  source = 'linkage' and ((select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (select from linkage l where l.linkage_id = automation_run.source_id)));
