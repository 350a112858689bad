-- What a person's close of a line that an enabled timer acts on needs: their word on its timers (ask), the timer without the line (refuse, the
-- specification to the letter), or nothing (free).
alter table project add column timed_lines text not null default 'ask' check (timed_lines in ('ask', 'refuse', 'free'));
