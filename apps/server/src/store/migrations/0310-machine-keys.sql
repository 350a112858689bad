-- Keys by which machines come in (ADR 182). Of the secret only a hash is kept: it is 256 random bits.
create table machine_key (
  key_id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  name text not null,
  secret_hash text not null,
  operates boolean not null default false,
  project_ids int[] not null check (cardinality(project_ids) between 1 and 50),
  made_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > made_at),
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text
);
create index machine_key_of_account on machine_key (account_id);

-- Null: a person's.
alter table session add column key_id uuid references machine_key on delete cascade;
create index session_of_key on session (key_id) where key_id is not null;
