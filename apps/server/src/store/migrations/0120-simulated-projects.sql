-- Since when a simulator stands for the equipment of a project; null: its equipment is real. People are shown it wherever the project is.
alter table project add column simulated_since timestamptz;
