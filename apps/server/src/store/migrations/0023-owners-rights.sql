-- What answers with the owner's rights answers the role of the lists and nobody else who may connect, and looks its tables up in the
-- installation's own schema first: a temporary table of somebody's is not taken for one of ours.
do $$
declare
  answering regprocedure;
begin
  for answering in select oid from pg_proc where pronamespace = current_schema()::regnamespace and prosecdef loop
    execute format('alter function %s set search_path = %I, pg_temp', answering, current_schema());
    execute format('revoke execute on function %s from public', answering);
    if exists (select from pg_roles where rolname = 'linewarden_seen') then
      execute format('grant execute on function %s to linewarden_seen', answering);
    end if;
  end loop;
end $$;
