-- An hour that is due is a note, and there may be several of one hour. With one row for each hour, whoever noted an hour that was just being
-- rolled up waited for that: ingest, and with it every acknowledgement, for as long as a roll-up takes.
alter table rollup_due drop constraint rollup_due_pkey;
create index rollup_due_hour on rollup_due (hour);
