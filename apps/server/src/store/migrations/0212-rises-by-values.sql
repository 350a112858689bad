-- By which values a linkage rose last, of each of its conditions (Unix ms, null: it was not met), and of which version of it they are. Null: not known.
alter table linkage_state add column rose_by jsonb;
