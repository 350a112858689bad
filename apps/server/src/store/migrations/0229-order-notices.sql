-- What is due of an order: its next reminder, when it is late, and what somebody is to be notified of. Whoever claims a row notifies in the
-- same transaction; whether it is still so is asked then.
create table work_order_due (
  due_id bigint primary key generated always as identity,
  order_id int not null references work_order,
  why text not null check (why in ('reminder', 'overdue', 'dispatched', 'reassigned', 'returned', 'processed', 'declined', 'verified',
    'contradicted', 'reopened')),
  -- Null: whoever is concerned once it is due.
  account_id uuid references account on delete cascade,
  due_at timestamptz not null,
  unique nulls not distinct (order_id, why, account_id)
);
create index work_order_due_at on work_order_due (due_at);
-- Orders of before: when they are reminded of is worked out by the first look, and nobody is notified of what was late already.
insert into work_order_due (order_id, why, due_at)
  select order_id, 'reminder', now() from work_order where status in ('dispatched', 'processed');
insert into work_order_due (order_id, why, due_at)
  select order_id, 'overdue', overdue_at from work_order where status = 'dispatched' and overdue_at > now();

-- A notice: for one account, and of this order. It has no state; acknowledged is what its reader has seen.
alter table event add column for_account uuid;
alter table event add column order_id int references work_order;
alter table event add constraint event_notice check ((for_account is null) = (order_id is null) and (order_id is null or kind = 'order'));
-- Of one instant nobody is notified twice, whatever becomes of the row that was due.
create unique index event_notice_once on event (order_id, for_account, key, raised_at) where for_account is not null;
create index event_notice_unread on event (for_account, order_id, event_id) where for_account is not null and acknowledged_at is null;
select event_occurrence_again();

-- A notice is read by whom it is for, and by nobody else, whatever else they see; and only while they see its place.
drop policy seen on event;
create policy seen on event for select using (
  (for_account is null or for_account = (select seen_account()))
  and ((select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[])));

-- Orders are looked after in rounds, so many a turn.
create index work_order_dispatched on work_order (order_id) where status = 'dispatched';
