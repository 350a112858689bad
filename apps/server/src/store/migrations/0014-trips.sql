-- How often a line has latched a trip: whoever records a cause explains that very trip, and no newer one of the same kind.
alter table line add column trip_latches integer not null default 0;

-- Why a line closes by itself no more.
alter table reclosure add column locked_out_why text
  check (locked_out_why in ('tries_used', 'person_tripped', 'outcome_unknown', 'policy_broken'));
