-- Runs that were done but for lines that a person or another timer kept as they are: a log names them before those that did everything.
alter table automation_run add column left_out boolean not null default false;
update automation_run set left_out = true where exists (
  select from operation_run join operation_run_line using (run_id)
  where operation_run.automation_run_id = automation_run.run_id and operation_run_line.state = 'skipped'
    and coalesce(operation_run_line.refusal->>'key', '') not in ('alreadySo', 'scene already so'));
-- The newest runs of a kind, whichever timer they are of.
create index automation_run_newest on automation_run (source, claimed_at desc, run_id);
