-- Work that is due at an instant, or goes on for long: whoever carries it out has claimed it here. Of several servers on one database one does.

create table due_work (
  work_id uuid primary key,
  kind text not null,
  -- What it is about, in the words of its kind: a group operation's id, a line's.
  key text not null,
  due_at timestamptz not null,
  -- The process that carries it out, until `lease_until` passes without a word of it; by the database's clock, which all servers share.
  holder uuid not null,
  lease_until timestamptz not null,
  -- Grows with each claim: a former holder is known by it wherever it writes.
  fence int not null,
  ended_at timestamptz,
  outcome text,
  -- Whoever computes the same instant twice, or on two servers, makes one work of it.
  unique (kind, key, due_at)
);
create index due_work_open on due_work (lease_until) where ended_at is null;
create index due_work_ended on due_work (ended_at) where ended_at is not null;

-- What is carried out while this runs keeps its time; what nobody carries is found by the first look.
insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
select run_id, 'groupOperation', run_id, started_at, gen_random_uuid(), coalesce(carried_until, started_at), 1
from operation_run where ended_at is null;
alter table operation_run drop column carried_until;

-- The work of the last try, and of its command: one that was begun and left nothing behind is known by it.
alter table reclosure add column last_try_id uuid;
