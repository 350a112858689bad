-- What is due is what the linkage did when it fired, whatever it is changed to meanwhile.
alter table linkage_due add column kind text not null check (kind in ('trip', 'close', 'scene', 'raise'));
alter table linkage_due add column line_id int references line;
alter table linkage_due add column scene_id int references scene;
