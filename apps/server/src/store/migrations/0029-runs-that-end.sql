-- A group operation belongs to the sign-in it was started from and is carried out by one server: when the one is ended, or the other is
-- gone, its remaining lines are missed. Runs from before have neither, and nobody carries them.
alter table operation_run
  add session_id bigint,
  add remember_id bigint,
  -- Said anew by the server that carries it out, as long as it lives; by the database's clock, which all servers share.
  add carried_until timestamptz,
  add revoked_at timestamptz;

-- Whose lines somebody sees: their groups are found from the lines.
create index operation_run_line_line on operation_run_line (line_id, run_id);

-- Whoever started a group finds it also when none of its lines is in their sight any more.
drop policy seen on operation_run;
create policy seen on operation_run for select using (
  (select sees_all()) or account_id = (select seen_account())
  or exists (select from operation_run_line where operation_run_line.run_id = operation_run.run_id));
