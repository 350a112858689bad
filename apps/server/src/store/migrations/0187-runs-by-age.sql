-- What ended more than a year ago is deleted, the oldest first.
create index automation_run_by_age on automation_run (claimed_at);
