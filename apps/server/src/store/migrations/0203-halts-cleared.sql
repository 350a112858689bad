-- When a person cleared what a linkage had stopped itself for: how often it acts is counted anew from then on.
alter table linkage add column cleared_at timestamptz;
