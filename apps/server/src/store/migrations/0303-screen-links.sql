-- Links by which a wall opens without a person (ADR 176). Of a key only its hash is stored.
create table screen_link (
  link_id int primary key generated always as identity,
  -- Whose projects: one that goes to somebody else is no longer shown.
  owner_id uuid references account,
  name text not null,
  -- All projects of a group, also those that come later; null: these projects.
  group_id int references city,
  project_ids int[] not null,
  -- As `{ Pages, DwellS, Language, Theme, NamesOfPeople }` of the contract.
  shown jsonb not null,
  key_hash text not null unique,
  most_seats int not null check (most_seats > 0),
  hard_until timestamptz,
  made_by text not null,
  made_at timestamptz not null,
  revoked_at timestamptz,
  version int not null default 1,
  check (group_id is null or cardinality(project_ids) = 0)
);
create index screen_link_of_owner on screen_link (owner_id);

-- A browser that opened one. Of its secret only the hash is stored; its token signs, and is sealed like that of a session.
create table screen_seat (
  seat_id uuid primary key,
  -- With a minus before it, the number under which its nonces are taken.
  seat_no bigint not null unique generated always as identity,
  link_id int not null references screen_link,
  secret_hash text not null unique,
  -- The one before: good for a while, so that a power cut while it was replaced locks nobody out.
  previous_hash text unique,
  rotated_at timestamptz not null,
  token text not null,
  token_at timestamptz not null,
  first_seen timestamptz not null,
  last_beat timestamptz not null,
  address text not null,
  browser text not null,
  -- As `{ Build, HeapMb, LateMs, DataAt, Page }` of the contract; null: it has not said yet.
  state jsonb,
  ended_at timestamptz,
  ended_why text check (ended_why in ('revoked', 'taken', 'idle', 'expired'))
);
create index screen_seat_of_link on screen_seat (link_id) where ended_at is null;

-- A code on a wall that waits for somebody to say which link it shows.
create table screen_pairing (
  code text primary key,
  claim_hash text not null unique,
  address text not null,
  browser text not null,
  expires_at timestamptz not null,
  link_id int references screen_link
);

alter table screen_link enable row level security;
-- A link of a group shows what others may add to it later: it is the administrator's.
create policy seen on screen_link for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and (
    (select sees_whole_tree())
    or (group_id is null and cardinality(project_ids) > 0 and project_ids <@ (select seen_projects())::int[]))));
-- Lists never read these: whoever sees the link is told of its seats.
alter table screen_seat enable row level security;
alter table screen_pairing enable row level security;
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select (link_id, owner_id, name, group_id, project_ids, shown, most_seats, hard_until, made_by, made_at, revoked_at, version)
      on screen_link to linewarden_seen;
  end if;
end $$;
