-- Reports that go out by themselves (ADR 166).
create table report_schedule (
  schedule_id int primary key generated always as identity,
  project_id int not null references project,
  -- Whose the project was when it was saved: what changes hands is sent to nobody until it is saved again.
  owner_id uuid,
  kind text not null,
  name text not null,
  scope jsonb not null,
  period text not null check (period in ('day', 'week', 'month')),
  cron text not null,
  format text not null check (format in ('xlsx', 'csv', 'pdf')),
  enabled boolean not null,
  -- Whose rights say what is in it.
  made_by uuid references account on delete set null,
  -- Due next; null: it is off.
  next_at timestamptz,
  version int not null default 1,
  removed_at timestamptz,
  check (enabled or next_at is null)
);
create index report_schedule_of_project on report_schedule (project_id) where removed_at is null;
create index report_schedule_due on report_schedule (next_at) where removed_at is null and next_at is not null;

create table report_recipient (
  recipient_id int primary key generated always as identity,
  schedule_id int not null references report_schedule,
  project_id int not null references project,
  account_id uuid references account on delete cascade,
  address text,
  language text not null check (language in ('CN', 'EN')),
  -- By which an address agrees and leaves; of 256 random bits.
  token text not null unique,
  asked_at timestamptz,
  agreed_at timestamptz,
  left_at timestamptz,
  removed_at timestamptz,
  check (num_nonnulls(account_id, address) = 1)
);
create index report_recipient_of_schedule on report_recipient (schedule_id) where removed_at is null;

create table report_run (
  run_id int primary key generated always as identity,
  schedule_id int not null references report_schedule,
  project_id int not null references project,
  -- Its local days since 1970; the last is not included.
  first_day int not null,
  end_day int not null check (end_day > first_day),
  due_at timestamptz not null,
  state text not null check (state in ('waiting', 'made', 'done', 'failed', 'missed')),
  -- How often it was begun: whoever began it last may end it.
  tries int not null default 0,
  look_at timestamptz,
  lease_until timestamptz,
  made_at timestamptz,
  known float8,
  why jsonb,
  -- However many servers there are, and whatever their clocks do: one of a period.
  unique (schedule_id, first_day)
);
create index report_run_of_project on report_run (project_id, due_at desc);
create index report_run_waiting on report_run (look_at) where state = 'waiting';
create index report_run_made on report_run (run_id) where state = 'made';

-- What is sent of a run in each language, until every delivery is over.
create table report_file (
  run_id int not null references report_run,
  project_id int not null references project,
  language text not null check (language in ('CN', 'EN')),
  subject text not null,
  body text not null,
  html text not null,
  file_name text not null,
  type text not null,
  -- Null: too large for a mail, which has a link instead.
  bytes bytea,
  primary key (run_id, language)
);

create table report_delivery (
  delivery_id int primary key generated always as identity,
  run_id int not null references report_run,
  project_id int not null references project,
  recipient_id int not null,
  address text not null,
  language text not null check (language in ('CN', 'EN')),
  token text not null,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'refused', 'unknown')),
  -- How often it was begun: an attempt that another has followed hands nothing over any more.
  tries int not null default 0,
  -- The server asked for the message in this attempt: what comes of it is not tried again without its refusal.
  handed_over boolean not null default false,
  next_at timestamptz,
  lease_until timestamptz,
  at timestamptz,
  code int,
  answer text not null default '',
  unique (run_id, recipient_id),
  unique (run_id, address),
  check ((state = 'queued') = (next_at is not null))
);
create index report_delivery_due on report_delivery (next_at) where state = 'queued';
create index report_delivery_under_way on report_delivery (lease_until) where state = 'sending';

-- Of a project as a whole, as what it is billed.
alter table report_schedule enable row level security;
create policy seen on report_schedule for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
alter table report_recipient enable row level security;
create policy seen on report_recipient for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
alter table report_run enable row level security;
create policy seen on report_run for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
alter table report_delivery enable row level security;
create policy seen on report_delivery for select using ((select sees_all()) or project_id = any ((select seen_projects())::int[]));
alter table report_file enable row level security;
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on report_schedule, report_run to linewarden_seen;
    -- Not what leads out of it, or into it.
    grant select (delivery_id, run_id, project_id, recipient_id, address, language, state, tries, next_at, at, code, answer)
      on report_delivery to linewarden_seen;
    grant select (recipient_id, schedule_id, project_id, account_id, address, language, asked_at, agreed_at, left_at, removed_at)
      on report_recipient to linewarden_seen;
  end if;
end $$;
