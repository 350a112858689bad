-- Photos that people take on site. What they show lies in a folder or a bucket, each under the SHA-256 of what is stored; of each there is a row here
-- before it lies there. Until a week after `wanted_at` nothing removes it.
create table photo_content (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  size int not null check (size > 0),
  width int not null check (width > 0),
  height int not null check (height > 0),
  wanted_at timestamptz not null
);
create index photo_content_wanted on photo_content (wanted_at);

-- What a photo belongs to, and who sent it: it is read through that and in no other way.
create table photo_use (
  use_id bigint primary key generated always as identity,
  -- Whose room it takes, wherever its owner goes later.
  project_id int not null references project,
  kind text not null check (kind in ('workOrder', 'round', 'hazard')),
  owner_id text not null,
  -- What it comes with inside its owner, such as a comment.
  note text not null default '',
  role text not null check (role in ('before', 'after', 'other')),
  -- What its sender calls it, and what is stored of it: without metadata.
  sent_hash text not null,
  hash text not null references photo_content,
  sender_id uuid references account on delete set null,
  sender text not null,
  sent_at timestamptz not null,
  -- By the clock of whoever took it.
  taken_at timestamptz,
  -- False: what it comes with has not come yet.
  kept boolean not null
);
create unique index photo_use_once on photo_use (kind, owner_id, note, sent_hash);
create index photo_use_of_project on photo_use (project_id, hash);
create index photo_use_of_content on photo_use (hash);
create index photo_use_loose on photo_use (sent_at) where not kept;

-- Photos that are on their way, piece by piece, of each sender by themselves: nobody spoils what another sends.
create table photo_piece (
  account_id uuid not null references account on delete cascade,
  project_id int not null references project,
  sent_hash text not null,
  size int not null,
  piece int not null,
  bytes bytea not null,
  at timestamptz not null,
  primary key (account_id, project_id, sent_hash, size, piece)
);
create index photo_piece_at on photo_piece (at);
