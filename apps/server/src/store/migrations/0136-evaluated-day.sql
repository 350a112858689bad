-- The local day (since 1970) by which a finding was raised, which may lie long before the evaluation: of a past, or after a server was away.
-- Null: it was found at once.
alter table warning_evidence add column day int;
