-- What was ordered of a line last is found by its fence, and what a danger left to others beside all that it did not.
create index command_line_fence on command (line_id, fence desc);
create index operation_run_line_left on operation_run_line (line_id) where refusal ->> 'key' = 'underWay';
