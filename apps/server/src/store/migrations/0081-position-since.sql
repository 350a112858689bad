-- Since when a line's position is what it is; null: its change was not observed.
alter table line_state add column position_since timestamptz;
