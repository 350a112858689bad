-- Each second it is asked whether the shelf or the acknowledgement of an open alarm is over. That it is open is part of what this index is
-- in order of, so that no other index of open alarms answers for it: with tens of thousands open and none due they would all be read.
drop index event_due;
create index event_due on event
  ((case when state in ('active', 'acknowledged', 'returned') then least(shelved_until, acknowledged_until) end))
  where (case when state in ('active', 'acknowledged', 'returned') then least(shelved_until, acknowledged_until) end) is not null;
