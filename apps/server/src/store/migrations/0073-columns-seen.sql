-- Of accounts and gateways the lists' role reads what lists show, and never what opens them: not the hashes of passwords and secrets, nor who
-- signs on as whom. A column added later is closed to it until a migration grants it.
alter table account add column has_control_password boolean not null generated always as (control_hash is not null) stored;
do $$
declare
  narrowed text;
begin
  if not exists (select from pg_roles where rolname = 'linewarden_seen') then return; end if;
  foreach narrowed in array array['account', 'gateway'] loop
    execute format('revoke select on %I from linewarden_seen', narrowed);
    execute (
      select format('grant select (%s) on %I to linewarden_seen', string_agg(quote_ident(attname), ', '), narrowed)
      from pg_attribute
      where attrelid = narrowed::regclass and attnum > 0 and not attisdropped
        and attname not in ('password_hash', 'control_hash', 'sign_on', 'secret_hash'));
  end loop;
end $$;

-- The tree's owner is named beside what belongs to them to their own people only: a shared account sees equipment and nobody.
drop policy seen on account;
create policy seen on account for select using (
  (select sees_all()) or ((select seen_account()) is not null and (
    account_id = (select seen_tree()) or account_id = (select seen_account())
    or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and kind in ('sub', 'shared') and (
      (select sees_whole_tree())
      or account_id in (select accounts_within((select seen_tree()), (select seen_projects()), (select seen_gateways()))))))));
