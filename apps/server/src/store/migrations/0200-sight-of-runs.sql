-- A policy that joins tables with policies of their own is written out with all of theirs: a query of runs named hundreds of tables, and was
-- planned for a third of a second before it read a row. What an account sees by single gateways is asked of functions instead, with the owner's
-- rights; whoever has none is answered by the project. They answer yes or no, of the gateways that the transaction names.
create function run_lies_on_seen_gateway(run uuid, project int) returns boolean
  language plpgsql stable security definer as $$
begin
  return exists (
    select from operation_run join operation_run_line using (run_id) join line using (line_id) join device using (device_id)
      join gateway using (gateway_id)
    where operation_run.automation_run_id = run and gateway.project_id = project and gateway_id = any (seen_gateways()))
  or exists (
    select from operation_run join operation_run_line using (run_id) join line using (line_id) join device using (device_id)
      join gateway using (gateway_id)
    where operation_run.outer_run_id = run and gateway.project_id = project and gateway_id = any (seen_gateways()));
end $$;
create function timer_lies_on_seen_gateway(timer int) returns boolean
  language plpgsql stable security definer as $$
begin
  return exists (
    select from timer t join timer_acts using (timer_id) join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where t.timer_id = timer and gateway.project_id = t.project_id and gateway_id = any (seen_gateways()));
end $$;
create function linkage_lies_on_seen_gateway(linkage int) returns boolean
  language plpgsql stable security definer as $$
begin
  return exists (
    select from linkage l join (
      select linkage_id, line_id from linkage_condition union all select linkage_id, line_id from linkage_action
    ) named using (linkage_id) join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where l.linkage_id = linkage and gateway.project_id = l.project_id and gateway_id = any (seen_gateways()));
end $$;

drop policy seen_of_linkage on automation_run;
drop policy seen_of_outer on automation_run;
alter policy seen on automation_run using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or (select seen_gateways()) is not null and (
    run_lies_on_seen_gateway(run_id, project_id) or source = 'linkage' and linkage_lies_on_seen_gateway(source_id)));
alter policy seen on timer using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or (select seen_gateways()) is not null and timer_lies_on_seen_gateway(timer_id));
alter policy seen on linkage using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or (select seen_gateways()) is not null and linkage_lies_on_seen_gateway(linkage_id));

do $$
declare
  answering text;
begin
  foreach answering in array array['run_lies_on_seen_gateway', 'timer_lies_on_seen_gateway', 'linkage_lies_on_seen_gateway'] loop
    execute format('alter function %s set search_path = %I, pg_temp', answering, current_schema());
    execute format('revoke execute on function %s from public', answering);
    if exists (select from pg_roles where rolname = 'linewarden_seen') then
      execute format('grant execute on function %s to linewarden_seen', answering);
    end if;
  end loop;
end $$;
