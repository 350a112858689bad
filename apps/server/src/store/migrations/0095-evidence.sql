-- What a line reported in the minute before and after an alarm, copied so that it outlives the raw readings. One copy of a line and minute
-- serves whatever was raised there.
create table evidence (
  line_id int not null,
  -- By the equipment's clock.
  minute timestamptz not null,
  -- What the line reported of its states before the first of these alarms.
  states jsonb not null,
  -- When it is to be copied, for the first time or again; null: nothing is due. Whoever copies it moves this on, so that another comes to it
  -- if that one is gone.
  due_at timestamptz,
  -- When the minute after its last alarm has been reported.
  whole_at timestamptz not null,
  -- Grows whenever there is something new to copy.
  revision int not null default 1,
  copied_at timestamptz,
  samples int not null default 0,
  -- When values that came late were added to it.
  completed_at timestamptz,
  -- Deflated JSON.
  content bytea,
  primary key (line_id, minute)
);
alter table evidence alter column content set storage external;
create index evidence_due on evidence (due_at) where due_at is not null;

-- Of the newest raise: which copy has its evidence, and until when that is on its way; null: it is there.
alter table event add column evidence_minute timestamptz;
alter table event add column evidence_due timestamptz;
create index event_evidence_due on event (line_id, evidence_minute) where evidence_due is not null;

-- The view of single raises has whatever columns an event has: made again whenever those change.
create function event_occurrence_again() returns void language plpgsql as $$
declare
  own text;
  again text;
begin
  select string_agg(format('event.%I', attname), ', ' order by attnum),
    string_agg(
      case attname
        when 'value' then 'again.value'
        when 'limit_value' then 'again.limit_value'
        when 'raised_at' then 'again.at'
        else format('event.%I', attname)
      end, ', ' order by attnum)
  into own, again
  from pg_attribute where attrelid = 'event'::regclass and attnum > 0 and not attisdropped;
  drop view if exists event_occurrence;
  execute format(
    'create view event_occurrence with (security_invoker = true) as select %s from event union all select %s '
    'from event_transition again join event using (event_id) where again.act = ''raise'' and again.from_state is not null', own, again);
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on event_occurrence to linewarden_seen;
  end if;
end $$;
select event_occurrence_again();

alter table evidence enable row level security;
create policy seen on evidence for select using (exists (select from line where line.line_id = evidence.line_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on evidence to linewarden_seen;
  end if;
end $$;
