-- Group operations are listed newest first, a page at a time.
create index operation_run_started on operation_run (started_at desc, run_id);
