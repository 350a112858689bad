-- Early warning: what is kept of each line and day, and what detectors said of it.

-- Means of the squares of slots 0 to 2, the currents of a switched line: what heats a terminal is not the square of the mean. Null in hours
-- rolled up before.
alter table reading_hour add column square real[];

-- Ten-minute means of the voltages, six of each phase in the order of time: what standards of voltage quality are about. Of phases that a
-- family does not have there are none; null is not known. Kept for as long as a rule is tried out over.
create table voltage_hour (
  line_id int not null,
  hour timestamptz not null,
  ten real[] not null,
  primary key (line_id, hour)
);
create index voltage_hour_hour on voltage_hour (hour);

-- Days whose features are to be made, and the line to be evaluated on them. Several notes of one day are one: whoever finds one that is
-- just being worked off makes another.
create table line_day_due (line_id int not null, day int not null);
create index line_day_due_day on line_day_due (day, line_id);

-- Up to which local day (since 1970) all lines of a project are noted, also those that reported nothing.
create table project_day (project_id int primary key references project on delete cascade, day int not null);

-- One line on one local day of its project, `day` counted since 1970. Null is not known, zero is a measured zero.
create table line_day (
  line_id int not null,
  day int not null,
  -- Hours that count: closed throughout, half of the samples there, clock good.
  hours smallint not null,
  -- Share of the expected samples.
  coverage real not null,
  -- The line was open for some of the day.
  opened boolean not null,
  leak_floor_ma real,
  leak_peak_ma real,
  -- By phase: 95th percentile of the hourly maxima, and the highest.
  i95_a real[] not null,
  peak_a real[] not null,
  -- By terminal: excess of the contact at rated current as this day alone fits it, and its standard error.
  excess_k real[] not null,
  excess_error_k real[] not null,
  unbalance_percent real,
  unbalance_2_min smallint not null,
  unbalance_4_min smallint not null,
  voltage_known_min smallint not null,
  voltage_outside_min smallint not null,
  -- Hours in which arcing was seen below the alarm.
  arc_hours smallint,
  -- Largest current shortly before each opening.
  broken_a real[] not null,
  -- Share of the breaker's life that these openings took.
  wear double precision not null,
  trip_ms int[] not null,
  -- Covered by samples.
  online_s int not null,
  made_at timestamptz not null,
  primary key (line_id, day)
);

-- The hours of a day as detectors read weeks of them: each column is a run of little-endian 32-bit floats, one for each hour, NaN is not
-- known; phases and terminals one after the other. Kept for as long as a detector looks back.
create table line_hours (
  line_id int not null,
  day int not null,
  -- The hour (since 1970, UTC) that the day begins with, and which of its hours count: bit 0 is the first.
  first_hour int not null,
  counts int not null,
  residual_ma bytea,
  square_a2 bytea not null,
  max_a bytea not null,
  terminal_c bytea not null,
  primary key (line_id, day)
);
create index line_hours_day on line_hours (day);

-- By phase: what a line carried in the week that ends on this day, but for its single highest hours.
create table line_week (
  line_id int not null,
  sunday int not null,
  peak_a real[] not null,
  primary key (line_id, sunday)
);

-- What is kept of a line between two looks at it.
create table line_look (
  line_id int primary key references line on delete cascade,
  -- The last day that was evaluated, and when that was.
  day int not null,
  at timestamptz not null,
  -- First day of what the line is compared with, and the breaker that it was learnt of: another one is learnt anew.
  learnt_from int not null,
  learnt_of jsonb not null,
  -- What all its openings so far took of its breaker's life, and how many they were.
  wear double precision not null default 0,
  openings int not null default 0,
  -- Why nothing at all was evaluated; null: detectors were asked.
  reason text,
  -- By detector: what it said, as JSON of `LookOutcome`. By detector and point: what looks agree on that is not raised or returned yet, now
  -- and before the last look, so that a day that comes late is looked at as if it had come in time.
  outcomes jsonb not null,
  followed jsonb not null,
  followed_before jsonb not null
);
create index line_look_at on line_look (at);

-- The proof of an event that a detector raised.
create table warning_evidence (
  event_id bigint primary key references event on delete cascade,
  level text not null check (level in ('notice', 'warning', 'alarm')),
  -- `Evidence` of the rules.
  evidence jsonb not null,
  coverage real,
  rule_id int,
  rule_version int not null,
  at timestamptz not null
);

-- A finding that a person explained as a normal change: these detectors compare the line with its days from then on.
create table warning_baseline (
  baseline_id bigint generated always as identity primary key,
  event_id bigint not null references event on delete cascade,
  line_id int not null references line on delete cascade,
  detector text not null,
  from_day int not null,
  reason text not null,
  actor text not null,
  at timestamptz not null,
  -- Taken back: the line is compared with what it was before.
  undone_at timestamptz,
  undone_by text
);
create unique index warning_baseline_event on warning_baseline (event_id) where undone_at is null;
create index warning_baseline_line on warning_baseline (line_id) where undone_at is null;

-- How long live detectors have seen what they count, of lines of which they count something.
create table line_live (line_id int primary key references line on delete cascade, state jsonb not null, at timestamptz not null);

alter table voltage_hour enable row level security;
alter table line_hours enable row level security;
alter table line_week enable row level security;
alter table line_day enable row level security;
alter table line_look enable row level security;
alter table warning_evidence enable row level security;
alter table warning_baseline enable row level security;
create policy seen on voltage_hour for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on line_hours for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on line_week for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on line_day for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on line_look for select using (
  (select sees_all()) or exists (select from line where line.line_id = line_look.line_id));
create policy seen on warning_evidence for select using (
  (select sees_all()) or exists (select from event where event.event_id = warning_evidence.event_id));
create policy seen on warning_baseline for select using (
  (select sees_all()) or exists (select from event where event.event_id = warning_baseline.event_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on voltage_hour, line_hours, line_week, line_day, line_look, warning_evidence, warning_baseline to linewarden_seen;
  end if;
end $$;

-- Another time zone has other days: they are made again from the hours.
create or replace function remake_days(lines int[], zone text) returns void language sql as $$
  delete from reading_day where line_id = any(lines);
  delete from line_day where line_id = any(lines);
  delete from line_hours where line_id = any(lines);
  delete from line_week where line_id = any(lines);
  insert into line_day_due (line_id, day)
    select line_id, day - date '1970-01-01'
    from (select distinct line_id, (hour at time zone zone)::date as day from reading_hour where line_id = any(lines)) as own;
  insert into rollup_day_due (time_zone, day)
    select zone, day at time zone zone
    from (select min(first) as first from unnest(lines) as own (id)
          cross join lateral (select hour as first from reading_hour where line_id = own.id order by hour limit 1) as begun) as began,
      generate_series(date_trunc('day', first at time zone zone), now() at time zone zone, interval '1 day') as day
    on conflict do nothing;
$$;
