-- Samples that equipment records when something happens, such as the current while it arcs. They are few, and evidence: nothing deletes them.
create table recording (
  line_id int not null references line,
  key text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  -- Little-endian signed 16-bit samples; what one is worth, and how many make a second, the family says.
  samples bytea not null check (octet_length(samples) between 2 and 32768),
  primary key (line_id, key, at)
);
