-- Lists of very many runs. Which runs of one timer were missed lately: the timers of a list are asked one by one.
drop index automation_run_missed;
create index automation_run_missed on automation_run (source_id, claimed_at) where source = 'timer' and state = 'missed';
-- A page of a log, the newest first, or what somebody should look at first: read in its order, however many there are.
drop index automation_run_newest;
create index automation_run_newest on automation_run (source, claimed_at desc, due_at desc nulls last, run_id);
create index automation_run_amiss on automation_run (source, (case when state = 'running' then 0
  when state in ('missed', 'partly', 'refused', 'skipped', 'stopped') then 1 when left_out then 2 else 3 end),
  claimed_at desc, due_at desc nulls last, run_id);
-- What is said of all of them is counted without reading what each has done.
create index automation_run_counted on automation_run (source, project_id, claimed_at) include (state, left_out, due_at);
