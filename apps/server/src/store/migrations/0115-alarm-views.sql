-- Filters and orders of the alarm list that a person keeps under a name, wherever they sign in. Nobody else sees them.
create table alarm_view (
  account_id uuid not null references account on delete cascade,
  -- Made once by whoever keeps it.
  view_id uuid not null,
  name text not null,
  -- As the console's address says it.
  address text not null,
  kept_at timestamptz not null,
  primary key (account_id, view_id)
);
