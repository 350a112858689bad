-- A group operation that was stored and never begun is known by null, on whichever server somebody presses again. What stands there already
-- was begun, and so is what a server of the version before stores: it begins it without saying so.
alter table operation_run add column begun_at timestamptz default now();
