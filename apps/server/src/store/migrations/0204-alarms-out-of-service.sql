-- Each second it is asked which open alarms a tag keeps out of service. Alarms that an incident folded are suppressed as well, and were all read.
drop index event_suppressed;
create index event_suppressed on event (event_id) where suppressed = 'tag' and state in ('active', 'acknowledged', 'returned');
