-- What platforms of operators (OneNET, CTWing) push for the equipment of a project.
create table push (
  push_id int generated always as identity primary key,
  project_id int not null references project,
  platform text not null check (platform in ('onenet', 'ctwing')),
  name text not null,
  -- CTWing sends the key itself: its hash is enough. OneNET signs with it, so it must be known again: sealed with the server's own secret.
  secret text not null,
  aes_key text,
  -- Model code by the platform's product id.
  products jsonb not null default '{}',
  reporting_period_ms int not null check (reporting_period_ms between 60000 and 86400000),
  enabled boolean not null default true,
  accepted bigint not null default 0,
  refused bigint not null default 0,
  duplicates bigint not null default 0,
  set_aside bigint not null default 0,
  last_at timestamptz,
  last_refused_at timestamptz,
  last_refusal text,
  removed_at timestamptz,
  version int not null default 1
);
create index push_project on push (project_id) where removed_at is null;

-- Answered to the platform means that it stands here. The body goes once its readings are committed; the key stays, so that what is sent
-- again is known again.
create table push_inbox (
  inbox_id bigint generated always as identity primary key,
  push_id int not null references push,
  key bytea not null,
  received_at timestamptz not null,
  body text,
  done_at timestamptz,
  unique (push_id, key)
);
create index push_inbox_waiting on push_inbox (inbox_id) where done_at is null;
create index push_inbox_received on push_inbox (received_at);

-- A token opens one detector's details and its silencing, without an account. Only its hash is kept.
create table device_token (
  token_hash text primary key,
  device_id int not null references device,
  -- What it opens, it opens as far as this account may.
  made_by uuid not null references account,
  made_at timestamptz not null,
  revoked_at timestamptz
);
create unique index device_token_one on device_token (device_id) where revoked_at is null;

-- Lists of an organisation with 200,000 lines (bench/lists.ts).
create index device_gateway on device (gateway_id);
create index event_needs_somebody on event (event_id desc) where state in ('active', 'acknowledged', 'returned');
