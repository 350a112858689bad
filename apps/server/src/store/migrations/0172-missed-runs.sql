-- Which timers missed a run lately: few of very many runs.
create index automation_run_missed on automation_run (claimed_at, source_id) where source = 'timer' and state = 'missed';
create index timer_of_project on timer (project_id) where removed_at is null;
