-- The local day (since 1970) that the proof of a finding is of: it is brought to each later day that finds it again. Null: of the moment it was found.
alter table warning_evidence add column evidence_day int;
update warning_evidence set evidence_day = day;
