-- When a line of a project was last closed or tested by itself, on whichever server: the next one keeps its distance from it. While a turn is
-- under way it lies ahead, so that nobody else begins one; who took it says when the order has left.
create table project_turn (
  project_id int primary key references project,
  turn_at timestamptz not null,
  taken_by uuid not null
);
