-- Lists and boards of a hundred thousand orders: those first whose clock runs out first, all together and of each status, found in that order.
create index work_order_by_clock on work_order
  ((overdue_at is null), overdue_at, (array_position(array['critical', 'high', 'medium', 'low'], priority)), order_id desc);
create index work_order_of_status on work_order
  (status, (overdue_at is null), overdue_at, (array_position(array['critical', 'high', 'medium', 'low'], priority)), order_id desc);
-- How many there are of each status is counted from this index alone.
drop index work_order_of_project;
create index work_order_of_project on work_order (project_id, gateway_id, status);
-- What a text is looked for in, in small letters once and not with each question.
alter table work_order add column searched text generated always as (lower(number || ' ' || title || ' ' || description)) stored;
