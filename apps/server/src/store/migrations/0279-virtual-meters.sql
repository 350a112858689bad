-- Virtual meters (虚拟表, ADR 169): so many times the energy of lines and of other virtual meters, added up.
create table virtual_meter (
  meter_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  -- As `{ lineId, factor }` or `{ meterId, factor }`. A line may be gone since.
  terms jsonb not null,
  -- 逐刻取正: a quarter that would be negative is nought.
  floors_at_zero boolean not null,
  -- Local days since 1970, both included. Null: it goes on.
  from_day int not null,
  to_day int,
  version int not null default 1,
  check (to_day >= from_day)
);
create unique index virtual_meter_name on virtual_meter (project_id, lower(name));

-- It is of a project as a whole: who sees single gateways of it sees none.
alter table virtual_meter enable row level security;
create policy seen on virtual_meter for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on virtual_meter to linewarden_seen;
  end if;
end $$;
