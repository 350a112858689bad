-- Lists are ordered by any of their columns: names as people order them, 2# before 10#, Chinese by its sound. No index uses it: those of
-- another version of its library would be wrong. A database without that library orders by code.
do $$
begin
  if exists (select from pg_collation where collprovider = 'i') then
    create collation "natural" (provider = icu, locale = 'zh-u-kn-true');
  else
    create collation "natural" (provider = libc, locale = 'C');
  end if;
end $$;

-- Keys and account names stand by their codes, whatever the language of the database.
create index audit_actor on audit (actor collate "C", audit_id);
create index audit_action on audit (action collate "C", audit_id);
create index command_actor_order on command (actor collate "C", issued_at);
create index command_action_order on command (action collate "C", issued_at);
create index command_state_order on command (state collate "C", issued_at);
create index setting_change_actor on setting_change (actor collate "C", issued_at);
create index setting_change_state on setting_change (state collate "C", issued_at);
