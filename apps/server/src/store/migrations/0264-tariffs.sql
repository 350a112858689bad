-- What energy costs (ADR 158): a tariff of a project, and its versions. A version is a draft until it is published, and then stays for ever.
create table tariff (
  tariff_id int primary key generated always as identity,
  project_id int not null references project,
  name text not null,
  -- ISO 4217.
  currency text not null check (currency ~ '^[A-Z]{3}$')
);
create unique index tariff_name on tariff (project_id, lower(name));

create table tariff_version (
  version_id int primary key generated always as identity,
  tariff_id int not null references tariff,
  project_id int not null references project,
  -- Within its tariff, from 1 on.
  number int not null,
  -- Local days since 1970, both included. Null: until another one begins.
  from_day int not null,
  to_day int,
  -- What it follows, such as the number of a notice.
  source text not null,
  -- Bands, seasons with their strips of 96 quarters, prices as decimal texts, and the rules for demand and power factor.
  content jsonb not null,
  version int not null default 1,
  published_at timestamptz,
  -- As whoever published it was called then.
  published_name text,
  -- What was published, byte for byte, and its hash.
  canonical text,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  unique (tariff_id, number),
  check (num_nulls(published_at, published_name, canonical, sha256) in (0, 4))
);
-- One draft of a tariff at a time.
create unique index tariff_version_draft on tariff_version (tariff_id) where published_at is null;

create function tariff_version_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a published tariff version is never changed';
end $$;
create trigger tariff_version_stays before update or delete on tariff_version for each row
  when (old.published_at is not null) execute function tariff_version_stays();

-- Which tariff a supply has from when on, as `{ tariffId, from }`; the first from its beginning, so that each date has one.
alter table supply add column tariffs jsonb not null default '[]';

-- Of a project as a whole, as its supplies.
alter table tariff enable row level security;
alter table tariff_version enable row level security;
create policy seen on tariff for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
create policy seen on tariff_version for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on tariff, tariff_version to linewarden_seen;
  end if;
end $$;
