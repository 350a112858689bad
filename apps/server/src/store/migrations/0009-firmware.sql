-- Firmware of gateways: what they report, signed images, campaigns, and how far each gateway is.

alter table gateway add column model text, add column firmware text, add column firmware_at timestamptz;

create table firmware_image (
  image_id int primary key generated always as identity,
  model text not null,
  version text not null,
  -- The same in numbers, to be ordered by.
  version_order int[] not null,
  size int not null check (size > 0),
  sha256 text not null,
  notes text not null default '',
  -- Exactly the bytes that were signed: gateways check the signature over them again.
  manifest bytea not null,
  signature bytea not null,
  key_name text not null,
  state text not null check (state in ('receiving', 'ready', 'withdrawn')),
  received int not null default 0,
  uploaded_by text not null,
  uploaded_at timestamptz not null
);
-- A version is given out once, also when it was withdrawn.
create unique index firmware_image_version on firmware_image (model, version) where state <> 'receiving';
create unique index firmware_image_receiving on firmware_image (sha256, model, version) where state = 'receiving';

create table firmware_piece (
  image_id int not null references firmware_image on delete cascade,
  starts_at int not null,
  length int not null,
  bytes bytea not null,
  primary key (image_id, starts_at)
);
-- Images are compressed already; stored as they are, a part is read without the whole.
alter table firmware_piece alter column bytes set storage external;

create table firmware_campaign (
  campaign_id int primary key generated always as identity,
  image_id int not null references firmware_image,
  reason text not null,
  state text not null check (state in ('running', 'paused', 'aborted', 'done')),
  paused_by text check (paused_by in ('person', 'failures')),
  ends int[] not null,
  stage int not null default 0,
  failure_limit int not null,
  forgiven int not null default 0,
  started_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index firmware_campaign_open on firmware_campaign (campaign_id) where ended_at is null;

create table firmware_upgrade (
  upgrade_id uuid primary key,
  campaign_id int not null references firmware_campaign,
  gateway_id int not null references gateway,
  position int not null,
  state text not null check (state in ('waiting', 'offered', 'downloading', 'ready', 'installing',
    'success', 'failed', 'alreadyLatest', 'currentNewer', 'unknown', 'cancelled')),
  former text,
  got int not null default 0,
  tries int not null default 0,
  why text,
  since timestamptz not null,
  heard_at timestamptz,
  unique (campaign_id, position)
);
-- A gateway is in one upgrade at a time.
create unique index firmware_upgrade_open on firmware_upgrade (gateway_id)
  where state in ('waiting', 'offered', 'downloading', 'ready', 'installing');
create index firmware_upgrade_gateway on firmware_upgrade (gateway_id, since desc);
create index firmware_upgrade_unknown on firmware_upgrade (gateway_id) where state = 'unknown';
