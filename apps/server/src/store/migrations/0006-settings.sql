-- Settings: every order to set something with its life, what is desired, protections that are off for a while, and templates.

create table setting_template (
  template_id int primary key generated always as identity,
  owner_id uuid references account,
  name text not null,
  family text not null,
  settings jsonb not null,
  remark text not null default '',
  changed_by text not null,
  changed_at timestamptz not null,
  version int not null default 1
);
create unique index setting_template_name on setting_template (owner_id, lower(name)) nulls not distinct;

-- One order to one line; without a line it is for the gateway itself. Rows stay: they are the history.
create table setting_change (
  command_id uuid primary key,
  batch_id uuid not null,
  gateway_id int not null references gateway,
  line_id int references line,
  wanted jsonb not null,
  -- As reported when it was ordered; null for what was never reported.
  former jsonb not null,
  state text not null check (state in ('authorised', 'sent', 'acknowledged', 'verified', 'refused', 'expired', 'unknown', 'failed')),
  outcome text,
  account_id uuid references account on delete set null,
  actor text not null,
  source text not null check (source in ('console', 'copy', 'template', 'undo', 'expiry')),
  reason text not null,
  -- Kept by name: a template may be changed or removed afterwards.
  template text,
  undoes uuid references setting_change,
  off_until timestamptz,
  fence bigint not null,
  issued_at timestamptz not null,
  deadline timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  verified_at timestamptz,
  ended_at timestamptz
);
-- Of two people who set one line at once, one is told.
create unique index setting_change_under_way on setting_change (gateway_id, coalesce(line_id, 0))
  where state in ('authorised', 'sent', 'acknowledged');
create index setting_change_open on setting_change (state) where state in ('authorised', 'sent', 'acknowledged', 'unknown');
create index setting_change_line on setting_change (line_id, issued_at desc);
create index setting_change_gateway on setting_change (gateway_id, issued_at desc);
create index setting_change_batch on setting_change (batch_id);
create index setting_change_issued on setting_change (issued_at desc);

create table gateway_fence (gateway_id int primary key references gateway, fence bigint not null);

-- What people asked for and the equipment took, or may have taken.
create table setting_desired (
  line_id int not null references line,
  key text not null,
  value double precision not null,
  command_id uuid not null references setting_change,
  primary key (line_id, key)
);

-- A protection that is off, or hardly protects, until a time at which the former value comes back.
create table setting_off (
  command_id uuid not null references setting_change,
  key text not null,
  line_id int not null references line,
  former double precision not null,
  until timestamptz not null,
  state text not null check (state in ('ordered', 'standing', 'restoring', 'restored', 'failed', 'ended')),
  restore_id uuid references setting_change,
  primary key (command_id, key)
);
create index setting_off_open on setting_off (until) where state in ('ordered', 'standing', 'restoring', 'failed');
create index setting_off_line on setting_off (line_id);
