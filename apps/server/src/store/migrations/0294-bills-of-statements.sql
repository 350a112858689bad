-- The utility's own bill beside an issued statement, as somebody entered it (ADR 133). The statement itself never changes.
create table statement_bill (
  statement_id int primary key references statement,
  project_id int not null references project,
  bill jsonb not null,
  entered_at timestamptz not null,
  -- As whoever entered it was called then.
  entered_name text not null,
  version int not null
);

-- Of a project as a whole, as its statements.
alter table statement_bill enable row level security;
create policy seen on statement_bill for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on statement_bill to linewarden_seen;
  end if;
end $$;
