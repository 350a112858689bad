-- Statements of what the utility bills (电费结算单, ADR 162). What is issued is frozen byte for byte; afterwards it can only be replaced or made void.
create table statement (
  statement_id int primary key generated always as identity,
  project_id int not null references project,
  supply_id int not null references supply,
  number text not null,
  -- The month in which the period begins, and its local days since 1970; the last is not included.
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  first_day int not null,
  end_day int not null check (end_day > first_day),
  state text not null default 'issued' check (state in ('issued', 'replaced', 'void')),
  engine int not null,
  -- Canonical JSON (RFC 8785) of number, inputs and result, and its hash.
  canonical text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- What lists show of it.
  head jsonb not null,
  issued_at timestamptz not null,
  -- As whoever issued it was called then.
  issued_name text not null,
  replaces int unique references statement,
  ended_at timestamptz,
  ended_name text,
  ended_reason text,
  unique (project_id, number),
  check (num_nulls(ended_at, ended_name, ended_reason) in (0, 3)),
  check ((state = 'issued') = (ended_at is null))
);
-- However many press at once, a period of a supply has one.
create unique index statement_in_force on statement (supply_id, first_day) where state = 'issued';
create index statement_of_month on statement (project_id, month);

create function statement_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = 'issued' and new.state in ('replaced', 'void')
    and to_jsonb(new) - array['state', 'ended_at', 'ended_name', 'ended_reason'] = to_jsonb(old) - array['state', 'ended_at', 'ended_name', 'ended_reason']
  then
    return new;
  end if;
  raise exception 'an issued statement is never changed';
end $$;
create trigger statement_stays before update or delete on statement for each row execute function statement_stays();

-- The last time that one was reckoned again, and whether it was what it is.
create table statement_check (
  statement_id int primary key references statement,
  at timestamptz not null,
  is_equal boolean not null
);

-- Of a project as a whole, as its supplies.
alter table statement enable row level security;
create policy seen on statement for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
alter table statement_check enable row level security;
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on statement to linewarden_seen;
  end if;
end $$;
