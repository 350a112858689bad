-- How an alarm of one point of a line is evaluated, where somebody tuned it: its delays and its dead band, never its limit. A row is never
-- taken away: one that was taken back stays with its version.
create table alarm_tuning (
  tuning_id int primary key generated always as identity,
  line_id int not null references line on delete cascade,
  key text not null,
  point text not null,
  -- False: it was taken back, and the alarm is evaluated as its equipment's family has it.
  in_force boolean not null default true,
  on_delay_ms int not null check (on_delay_ms between 0 and 600000),
  off_delay_ms int not null check (off_delay_ms between 0 and 600000),
  dead_band_share float8 not null check (dead_band_share between 0 and 1),
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,
  unique (line_id, key, point)
);

-- Who changed what of it, and by which figures of its past it was borne out.
create table alarm_tuning_change (
  tuning_id int not null references alarm_tuning on delete cascade,
  version int not null,
  at timestamptz not null,
  actor text not null,
  reason text not null,
  restored boolean not null,
  before jsonb not null,
  after jsonb not null,
  primary key (tuning_id, version)
);
create function alarm_tuning_change_stays() returns trigger language plpgsql as
  $$ begin raise exception 'the history of the tuning of an alarm is append-only'; end $$;
create trigger alarm_tuning_change_append_only before update on alarm_tuning_change
  for each statement execute function alarm_tuning_change_stays();

alter table alarm_tuning enable row level security;
alter table alarm_tuning_change enable row level security;
create policy seen on alarm_tuning for select using (exists (select from line where line.line_id = alarm_tuning.line_id));
create policy seen on alarm_tuning_change for select using (
  exists (select from alarm_tuning where alarm_tuning.tuning_id = alarm_tuning_change.tuning_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on alarm_tuning, alarm_tuning_change to linewarden_seen;
  end if;
end $$;
