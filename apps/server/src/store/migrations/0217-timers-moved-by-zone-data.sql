-- Where time zone data of another version made a timer due at another instant: what it was due for before. Gone with the row's next change.
alter table timer_due add column moved_from timestamptz;
create index timer_due_moved on timer_due (due_at) where moved_from is not null;
