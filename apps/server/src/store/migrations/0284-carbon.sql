-- By which carbon factors a project goes (design of energy, section 9): a region and a basis of them, and those that somebody typed.
create table carbon_choice (
  project_id int primary key references project,
  region text not null,
  basis text not null check (basis in ('average', 'averageLessTraded', 'fossil', 'market')),
  version int not null default 1
);
create table carbon_factor (
  project_id int not null references project,
  year int not null check (year between 1990 and 2199),
  region text not null,
  basis text not null check (basis in ('average', 'averageLessTraded', 'fossil', 'market')),
  kg_per_kwh text not null check (kg_per_kwh ~ '^\d{1,2}(\.\d{1,8})?$'),
  -- The notice or contract that says so.
  source text not null,
  typed_at timestamptz not null,
  -- As whoever typed it was called then.
  typed_name text not null,
  version int not null default 1,
  primary key (project_id, year, region, basis)
);
-- Whoever sees a part of a project is told of its carbon by the same factors: they are read as the platform, and are of no equipment.
alter table carbon_choice enable row level security;
alter table carbon_factor enable row level security;
