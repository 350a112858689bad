-- What a person has said of a line against its timers, beside what they ordered of it: timed actions are left out until an instant, only the
-- next one is not, or a trip by hand is released again. The latest word counts.
create table line_override (
  line_id int primary key references line,
  kind text not null check (kind in ('next', 'until', 'stay', 'released')),
  since timestamptz not null,
  until timestamptz,
  actor text not null,
  reason text not null,
  check ((kind = 'until') = (until is not null))
);
alter table line_override enable row level security;
create policy seen on line_override for select using ((select sees_all()) or exists (select from line where line.line_id = line_override.line_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on line_override to linewarden_seen;
  end if;
end $$;
-- The latest word of a person on a line.
create index command_by_person on command (line_id, issued_at desc) where source in ('console', 'group') and action in ('trip', 'close');
