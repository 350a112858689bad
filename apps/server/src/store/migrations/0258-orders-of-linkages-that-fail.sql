-- Of an order that a linkage asked for and that could not be made: why, and when it is tried again, behind those that were not tried yet.
alter table linkage_order add column failed text;
alter table linkage_order add column next_try_at timestamptz;
