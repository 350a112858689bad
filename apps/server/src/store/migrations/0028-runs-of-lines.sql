-- Group operations are listed newest first, and found by the lines that somebody sees.
create index operation_run_started on operation_run (started_at desc, run_id);
create index operation_run_line_line on operation_run_line (line_id);
