-- What was issued is not emptied away either (ADR 162).
create function statements_stay() returns trigger language plpgsql as $$
begin
  if exists (select from statement) then
    raise exception 'an issued statement is never changed';
  end if;
  return null;
end $$;
create trigger statements_stay before truncate on statement for each statement execute function statements_stay();
