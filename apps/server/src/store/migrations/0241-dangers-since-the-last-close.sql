-- What was ordered of a line last is found by its fence, and what is still to be ordered, or was left to others, beside all that was not.
create index command_line_fence on command (line_id, fence desc);
create index operation_run_line_left on operation_run_line (line_id) where state = 'waiting' or refusal ->> 'key' = 'underWay';
