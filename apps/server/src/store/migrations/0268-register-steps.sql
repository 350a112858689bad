-- How finely the register of a line counts, Wh: the largest that all its differences are whole steps of. Null: it has not risen since this is kept.
alter table energy_line add column step_wh int check (step_wh > 0);
