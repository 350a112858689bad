-- What was not observed to come true, or was stored too late, closes nothing later either.
alter table linkage_due add column may_close boolean not null default true;
