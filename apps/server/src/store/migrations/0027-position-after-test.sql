-- A leakage self-test is proven by its trip time and the open position, which may come on both sides of a restart.
alter table command add column position_after text check (position_after in ('open', 'closed'));
