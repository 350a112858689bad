-- How far each stop of a round that is walked has come: counted anew when something comes of it, so that nobody reads a whole round for it. Nobody
-- reads it but whoever sums it up into `inspection_round.progress`.
create table inspection_stop_progress (
  round_id uuid not null references inspection_round,
  stop_id int not null,
  progress jsonb not null,
  primary key (round_id, stop_id)
);
alter table inspection_stop_progress enable row level security;
