-- Several servers store what each of them knows of a linkage. `turn` grows with each write: who writes over what it has not read reads it first, and
-- puts both together. An older server knows nothing of that and writes over everything: what it writes over stays beside it until somebody does.
alter table linkage_state add column turn int not null default 0;
alter table linkage_state add column beside jsonb;
create function linkage_state_keeps_what_others_know() returns trigger language plpgsql as $$
begin
  if new.turn = old.turn then
    new.turn := old.turn + 1;
    new.beside := case when new.version = old.version then coalesce(old.beside, old.state) end;
  end if;
  return new;
end $$;
create trigger linkage_state_keeps before update on linkage_state
  for each row execute function linkage_state_keeps_what_others_know();
