-- Signing in: devices that are remembered, a second factor, steps of a sign-in between two requests, and whose installation it is.

-- A device that stays signed in. It holds one handle, good for one use; of those that were used the hash is kept, so that a copy shows.
create table remember (
  remember_id bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  handle_hash text not null unique,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null
);
create index remember_account on remember (account_id);
create table remember_spent (
  handle_hash text primary key,
  remember_id bigint not null references remember on delete cascade
);
create index remember_spent_of on remember_spent (remember_id);

-- `proved`: whoever uses it has given the password since; a remembered session has not.
alter table session
  add remember_id bigint references remember on delete set null,
  add proved boolean not null default true;

-- Sealed under a key from the pepper. `last_step`: the time step of the last code that was taken, so that none is taken twice.
create table second_factor (
  account_id uuid primary key references account on delete cascade,
  sealed_key text not null,
  last_step bigint not null default 0,
  begun_at timestamptz not null
);
create table recovery_code (
  account_id uuid not null references second_factor on delete cascade,
  code_hash text not null,
  primary key (account_id, code_hash)
);
-- Since when signing in takes a second factor; null: it does not.
alter table account add second_factor_at timestamptz;

alter table failed_attempt
  drop constraint failed_attempt_kind_check,
  add constraint failed_attempt_kind_check check (kind in ('login', 'control', 'second'));

-- Half a sign-in: what was proved so far, and by what way. Good for one use.
create table sign_in_step (
  step_hash text primary key,
  account_id uuid not null references account on delete cascade,
  wants text not null check (wants in ('second', 'session')),
  action text not null,
  remember boolean not null,
  expires_at timestamptz not null
);

-- Null is what the environment says.
create table branding (
  one boolean primary key default true check (one),
  name_zh text,
  name_en text,
  title_zh text,
  title_en text,
  provider_host text,
  provider_name text,
  provider_url text,
  logo bytea,
  logo_type text,
  logo_hash text,
  version int not null default 1
);
insert into branding default values;
