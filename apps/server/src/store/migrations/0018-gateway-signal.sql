-- How strongly a gateway hears its network, as it last said, and when that came. Null: it did not say, or says that it does not know.
alter table gateway add column signal_dbm smallint check (signal_dbm between -150 and 0);
alter table gateway add column signal_at timestamptz;

-- Numbers that tried to connect and that nobody has added. Never what they gave as a password. Bounded by whoever writes it.
create table announced_gateway (
  number text primary key check (number ~ '^[A-Za-z0-9_-]{1,32}$'),
  first_at timestamptz not null,
  last_at timestamptz not null,
  tries integer not null check (tries > 0),
  address text not null,
  -- Somebody looked at it and does not want to see it again.
  dismissed boolean not null default false
);
