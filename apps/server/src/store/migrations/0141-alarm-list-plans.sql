-- Any filter in any order without walking past what does not match: a priority, an alarm or a kind of a priority, and what was raised again are
-- found by plain columns, by which row-level security lets an index be asked. When it was raised is in them so that a range of time is left
-- out without a look at the rows.
drop index event_by_priority;
create index event_by_priority on event (priority, event_id, raised_at);
drop index event_open_by_priority;
create index event_open_by_priority on event (priority, event_id) where state in ('active', 'acknowledged', 'returned');
drop index event_by_raises;
create index event_by_raises on event (raises, event_id, raised_at);
drop index event_key;
create index event_key on event (key, priority, event_id, raised_at);
create index event_kind on event (kind, priority, event_id);
drop index event_last_raised;
create index event_last_raised on event (raised_again_at, raised_at) where raised_again_at is not null;
-- Which kinds and priorities an alarm has: what does not come together is not looked for in vain.
create statistics event_mix (mcv, dependencies) on kind, priority, key from event;
