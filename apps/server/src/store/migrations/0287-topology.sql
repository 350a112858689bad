-- How a project is supplied: its sources, what its buses are called, and the switches between them. Which line feeds which is `line.fed_by`.
create table topology (
  project_id int primary key references project,
  -- As `{ sources, buses, ties }` of the contract. A line in it may be gone since.
  content jsonb not null,
  version int not null default 1
);
alter table topology enable row level security;
create policy seen on topology for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on topology to linewarden_seen;
  end if;
end $$;
