-- Why somebody took back that a finding was a normal change.
alter table warning_baseline add column undone_reason text;
