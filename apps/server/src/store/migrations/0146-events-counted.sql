-- Which step was counted as what: so that the list behind a figure is what the figure counted, and no other. Made with the counts, and
-- counted anew with them.
create table event_counted (
  event_id bigint not null,
  -- 0 and below: of an event that has no steps of its own.
  step_id bigint not null,
  at timestamptz not null,
  -- By the project's own clock, counted since 1970.
  day int not null,
  -- As it was when it was counted: an open event may become graver.
  priority text not null,
  -- A bit for each: raised, announced, folded, began to chatter, fleeting, unjustified, acknowledged.
  counted smallint not null,
  -- It ended more than a day of being active, which began then.
  since timestamptz,
  primary key (event_id, step_id)
);
create index event_counted_day on event_counted (day);
create index event_counted_long on event_counted (at) where since is not null;

insert into event_recount (gateway_id, project_id)
  select gateway_id, 0 from gateway union all select 0, project_id from project on conflict do nothing;

alter table event_counted enable row level security;
create policy seen on event_counted for select using (
  (select sees_all()) or exists (select from event where event.event_id = event_counted.event_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_counted to linewarden_seen;
  end if;
end $$;
