-- A health check of a project, a gateway or a line: what was found, as it was found. Nothing of a finished one is ever changed.
create table health_check (
  test_id int primary key generated always as identity,
  number text not null,
  project_id int not null references project,
  gateway_id int references gateway,
  line_id int references line on delete set null,
  -- As they were called then.
  project_name text not null,
  gateway_name text,
  -- Null: it came by itself, for this instant.
  actor text,
  due_at timestamptz,
  rule_version text not null,
  state text not null check (state in ('running', 'done', 'cancelled', 'failed')),
  started_at timestamptz not null,
  ended_at timestamptz,
  time_zone text not null,
  from_day int not null,
  to_day int not null,
  lines int not null,
  done int not null default 0,
  -- What it came to, once it is done.
  result jsonb,
  -- The finished one before it, of the same scope: what it is compared with stays so.
  before_id int references health_check
);
create index health_check_of_project on health_check (project_id, test_id desc);
create index health_check_of_gateway on health_check (gateway_id) where gateway_id is not null;
-- One at a time, and the monthly one of an instant once, on however many servers.
create unique index health_check_running on health_check (project_id) where state = 'running';
create unique index health_check_monthly on health_check (project_id, due_at) where due_at is not null;

-- What was found on one of its lines. The line may be gone since.
create table health_check_line (
  test_id int not null references health_check,
  line_id int not null,
  -- Of the check, by which somebody sees it.
  project_id int not null,
  gateway_id int,
  line_name text not null,
  gateway_name text not null,
  score smallint,
  coverage smallint not null,
  -- The rest of it, with the names of its place.
  found jsonb not null,
  primary key (test_id, line_id)
);

-- Numbers run on by owner and month.
create table health_check_number (
  owner text not null,
  month text not null,
  last int not null,
  primary key (owner, month)
);

-- Whoever sees the project; of one gateway also whoever sees that.
alter table health_check enable row level security;
alter table health_check_line enable row level security;
create policy seen on health_check for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]));
create policy seen on health_check_line for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on health_check, health_check_line to linewarden_seen;
  end if;
end $$;
