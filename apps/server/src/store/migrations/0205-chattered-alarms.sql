-- Every ten seconds it is asked which alarms were raised silently because they chattered, and stayed. All that nobody had acknowledged was read.
create index event_chattered on event (stored_at)
  where state = 'active' and announced = 0 and chatter_at is not null and not historical and suppressed is null;
