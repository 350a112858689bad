-- The spine: who may come in, what equipment there is, what it reported, what happened, what people ordered.

create table role (
  role_id int generated always as identity primary key,
  number text not null unique,
  name text not null,
  description text not null default '',
  privileges text[] not null default '{}',
  buttons text[] not null default '{}'
);

create table account (
  account_id uuid primary key default gen_random_uuid(),
  user_name text not null,
  nick_name text not null default '',
  kind text not null check (kind in ('platform', 'project', 'sub', 'shared')),
  role_id int references role,
  password_hash text not null,
  control_hash text,
  language text not null default 'CN' check (language in ('CN', 'EN')),
  alarm_sound boolean not null default true,
  disabled boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index account_user_name on account (lower(user_name));

create table session (
  session_id bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  token text not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  address text not null,
  last_event_id bigint not null default 0
);
create index session_account on session (account_id);

-- (session, time, nonce) seen once; session 0 is "before login".
create table nonce (
  session_id bigint not null,
  time_stamp bigint not null,
  nonce text not null,
  primary key (session_id, time_stamp, nonce)
);

-- Failed logins per account and address, and wrong control passwords per account (address '').
create table failed_attempt (
  kind text not null check (kind in ('login', 'control')),
  account text not null,
  address text not null,
  at timestamptz not null
);
create index failed_attempt_of on failed_attempt (kind, account, address, at);

create table control_grant (
  grant_hash text primary key,
  session_id bigint not null references session on delete cascade,
  operation text not null,
  expires_at timestamptz not null
);

create table city (
  city_id int generated always as identity primary key,
  name text not null,
  is_default boolean not null default false
);

create table project (
  project_id int generated always as identity primary key,
  city_id int not null references city,
  name text not null,
  time_zone text not null,
  currency text not null default 'CNY',
  standard text not null default 'GB' check (standard in ('GB', 'IEC'))
);

create table account_project (
  account_id uuid not null references account on delete cascade,
  project_id int not null references project on delete cascade,
  primary key (account_id, project_id)
);

create table gateway (
  gateway_id int generated always as identity primary key,
  project_id int not null references project,
  number text not null unique,
  name text not null,
  secret_hash text not null,
  disabled boolean not null default false,
  reporting_period_ms int not null default 10000,
  link text not null default 'never' check (link in ('online', 'offline', 'stale', 'never')),
  link_since timestamptz,
  link_reason text,
  bd_seq int
);

create table device (
  device_id int generated always as identity primary key,
  gateway_id int not null references gateway,
  controller_id text not null unique,
  name text not null,
  family text not null,
  model text not null,
  firmware text
);

-- Line 0 is the device itself, for families whose values belong to the device.
create table line (
  line_id int generated always as identity primary key,
  device_id int not null references device,
  line_no int not null,
  name text not null,
  rated_current_a real,
  -- A trip by leakage, short circuit or arc that nobody has explained yet; only a person clears it.
  trip_latched text,
  trip_explained text,
  trip_explained_at timestamptz,
  inspection_until timestamptz,
  unique (device_id, line_no)
);

create table line_setting (
  line_id int not null references line,
  key text not null,
  reported double precision not null,
  reported_at timestamptz not null,
  primary key (line_id, key)
);

-- Reported states (position, trip cause, ...), written in the reading's own transaction whenever one changes.
create table line_state (
  line_id int primary key references line,
  states jsonb not null,
  position_at timestamptz,
  changed_at timestamptz not null
);

-- A checkpoint of the newest live values, written every few seconds; start reads it and then the readings received since.
create table latest (
  line_id int primary key references line,
  at timestamptz not null,
  received_at timestamptz not null,
  quality smallint not null,
  reading double precision[] not null
);
create table latest_watermark (one boolean primary key default true check (one), received_at timestamptz not null);

-- One line's values at one time. Slots are named by the family's points; bit 0 of quality: clock off, bit 1: historical.
create table reading (
  line_id int not null,
  at timestamptz not null,
  received_at timestamptz not null,
  quality smallint not null,
  v0 real, v1 real, v2 real, v3 real, v4 real, v5 real, v6 real, v7 real,
  v8 real, v9 real, v10 real, v11 real, v12 real, v13 real, v14 real, v15 real,
  counter double precision,
  primary key (line_id, at)
) partition by range (at);
create table reading_default partition of reading default;

create table reading_hour (
  line_id int not null,
  hour timestamptz not null,
  count int not null,
  min real[] not null,
  mean real[] not null,
  max real[] not null,
  counter_used double precision,
  primary key (line_id, hour)
);
-- Hours whose roll-up must be made again, because back-filled or late readings came in.
create table rollup_due (hour timestamptz primary key);

create table event (
  event_id bigint generated always as identity primary key,
  kind text not null check (kind in ('alarm', 'fault', 'warning', 'journal')),
  priority text not null check (priority in ('critical', 'high', 'medium', 'low')),
  key text not null,
  label_zh text not null,
  label_en text not null,
  point text,
  value double precision,
  limit_value double precision,
  unit text not null default '',
  state text check (state in ('active', 'acknowledged', 'returned', 'normal')),
  project_id int not null references project,
  gateway_id int not null references gateway,
  line_id int references line,
  raised_at timestamptz not null,
  stored_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  returned_at timestamptz,
  historical boolean not null default false
);
create index event_project on event (project_id, event_id desc);
create index event_line on event (line_id, event_id desc);
create index event_open on event (gateway_id) where state in ('active', 'acknowledged');
-- The same alarm of the same place cannot be open twice: redelivery and restart raise nothing again.
create unique index event_open_once on event (gateway_id, coalesce(line_id, 0), key, coalesce(point, ''))
  where state in ('active', 'acknowledged') and not historical;

create table command_fence (line_id int primary key references line, fence bigint not null);

create table command (
  command_id uuid primary key,
  line_id int not null references line,
  action text not null check (action in ('trip', 'close')),
  state text not null check (state in ('authorised', 'sent', 'acknowledged', 'verified', 'refused', 'expired', 'unknown', 'failed')),
  outcome text,
  account_id uuid references account on delete set null,
  actor text not null,
  source text not null,
  reason text not null,
  fence bigint not null,
  issued_at timestamptz not null,
  deadline timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  verified_at timestamptz,
  ended_at timestamptz
);
create index command_line on command (line_id, issued_at desc);
create index command_open on command (state) where state in ('authorised', 'sent', 'acknowledged', 'unknown');

-- Append-only, hash-chained: each row's hash covers the one before it.
create table audit (
  audit_id bigint primary key,
  at timestamptz not null,
  actor text not null,
  address text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  outcome text not null,
  previous_hash text not null,
  hash text not null
);
create function audit_is_append_only() returns trigger language plpgsql as $$
begin raise exception 'the audit log is append-only'; end $$;
create trigger audit_append_only before update or delete on audit for each statement execute function audit_is_append_only();
create trigger audit_no_truncate before truncate on audit for each statement execute function audit_is_append_only();

create table quarantine (
  quarantine_id bigint generated always as identity primary key,
  received_at timestamptz not null,
  gateway_number text,
  topic text not null,
  reason text not null,
  detail text not null,
  size int not null,
  payload bytea not null
);
