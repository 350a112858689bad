-- A comment on an event may have a photo. It stands apart from the steps, which are read whole; nobody sees it but through the step of its event.
create table event_photo (
  comment_id uuid primary key,
  event_id bigint not null references event on delete cascade,
  photo bytea not null,
  photo_type text not null check (photo_type in ('image/jpeg', 'image/png', 'image/webp'))
);
create index event_photo_event on event_photo (event_id);
alter table event_photo enable row level security;
