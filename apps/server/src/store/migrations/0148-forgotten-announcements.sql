-- Up to which number announcements were forgotten: a mark that is older says no longer what was raised since.
create table announcement_forgotten (
  id int primary key default 1 check (id = 1),
  up_to bigint not null
);
-- Those of the time before: every number below the oldest that is left.
insert into announcement_forgotten (up_to)
  select coalesce((select min(announcement_id) - 1 from announcement), case when is_called then last_value else 0 end)
  from announcement_announcement_id_seq;
