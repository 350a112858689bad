-- What answers with the owner's rights answers the role of the lists and nobody else who may connect, and looks its tables up in the
-- installation's own schema first: a temporary table of somebody's is not taken for one of ours.
do $$
declare
  answering regprocedure;
begin
  for answering in
    select pg_proc.oid from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = current_schema()
      and proname in ('accounts_within', 'holds_none', 'seen_account_name', 'seen_concerns', 'seen_line_ids') and prosecdef
  loop
    execute format('alter function %s set search_path = %I, pg_temp', answering, current_schema());
    execute format('revoke execute on function %s from public', answering);
    if exists (select from pg_roles where rolname = 'linewarden_seen') then
      execute format('grant execute on function %s to linewarden_seen', answering);
    end if;
  end loop;
end $$;
