-- A device has a link of its own behind its gateway: it dies, or falls silent, while the gateway lives.

alter table device
  add column link text not null default 'never' check (link in ('online', 'offline', 'stale', 'never')),
  add column link_since timestamptz,
  add column link_reason text,
  -- As the device said at birth; 0: it reports when something changes. Null: as its gateway does.
  add column reporting_period_ms bigint;
-- What its gateway said last is the best that is known, until it speaks again.
update device set link = case gateway.link when 'online' then 'stale' else gateway.link end, link_since = gateway.link_since,
  link_reason = case gateway.link when 'online' then 'restart' else gateway.link_reason end
  from gateway where gateway.gateway_id = device.gateway_id;

-- Whether the gateway promised at birth that its devices report by the period; 10 s stands where nobody said anything.
alter table gateway add column keeps_period boolean not null default false;
update gateway set keeps_period = true where reporting_period_ms <> 10000;
