-- Prices of single quarters (ADR 170): series of a tariff as somebody imported them. What is imported again makes a new version of its days, and the
-- ones before stay.
create table price_import (
  import_id int primary key generated always as identity,
  tariff_id int not null references tariff,
  project_id int not null references project,
  -- Within its tariff, from 1 on.
  number int not null,
  -- Where the prices are from, as whoever imported them said it.
  source text not null,
  starts timestamptz not null,
  ends timestamptz not null check (ends > starts),
  minutes smallint not null check (minutes in (15, 30, 60)),
  quarters int not null check (quarters > 0),
  -- Of them, those of which the file knows no price, and those that had another before.
  unknown int not null,
  changed int not null,
  -- Of the file as it was given.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  imported_at timestamptz not null,
  -- As whoever imported it was called then.
  imported_name text not null,
  unique (tariff_id, number)
);
-- A day of UTC with the prices of its quarters, per kWh in 10^-8, as it stands since an import; null: not known.
create table price_day (
  tariff_id int not null references tariff,
  day date not null,
  number int not null,
  project_id int not null references project,
  prices bigint[] not null check (cardinality(prices) = 96),
  primary key (tariff_id, day, number)
);

-- What a series makes of the energy of a day or a month, by the bands of its version, in 10^-11 of the currency; null: its version has no series.
alter table energy_supply
  add column f0 numeric, add column f1 numeric, add column f2 numeric, add column f3 numeric,
  add column f4 numeric, add column f5 numeric, add column f6 numeric, add column f7 numeric;

-- Of a project as a whole, as its tariffs.
alter table price_import enable row level security;
alter table price_day enable row level security;
create policy seen on price_import for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
create policy seen on price_day for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on price_import, price_day to linewarden_seen;
  end if;
end $$;
