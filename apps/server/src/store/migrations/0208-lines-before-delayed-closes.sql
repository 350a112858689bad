-- How the lines stood that a firing of a linkage closes later, and what had been ordered and noted of them by then: whether they are closed is
-- decided when that is due, by everything since. Null: it closes nothing, or an older version of the server stored it, and then nothing is closed.
alter table linkage_due add column before jsonb;
