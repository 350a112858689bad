-- The log below the administrator is found by its indexes: who did it, and what it is about, stand in columns of their own. Under row-level
-- security an index on an expression is not used, because only the comparison of plain columns is known to leak nothing.

-- The log is written anew once, for these columns. Its hashes cover the entry's own fields, so they stay right.
alter table audit
  add actor_key text not null generated always as (lower(actor)) stored,
  -- An account, a gateway, a project or a group as it is called; of a line its controller.
  add about text not null generated always as (lower(split_part(target, '/', 1))) stored;
create index audit_actor_key on audit (actor_key);
create index audit_about on audit (about);

-- What is removed is asked for too: by its number it is nobody's any more, by its project it still is.
drop index gateway_project;
create index gateway_project on gateway (project_id);

-- The people of a tree whose equipment all lies within these projects and single gateways; who was given nothing lies within nobody's.
-- `lies_within` for all of them at once. With the owner's rights, because what lies outside cannot be seen under the policies, and is just
-- what is asked for; it answers ids and nothing else.
create function accounts_within(tree uuid, projects int[], gateways int[]) returns setof uuid
  language sql stable security definer set search_path from current as $$
  select account_id from account
    where account.owner_id is not distinct from tree and kind in ('sub', 'shared')
    and account_id in (
      select given.account_id from account_project given join project using (project_id)
        where given.project_id in (select unnest(projects)) and project.removed_at is null
      union all
      select given.account_id from account_gateway given join gateway using (gateway_id)
        where gateway.project_id in (select unnest(projects)) and gateway.removed_at is null
      union all
      select given.account_id from account_gateway given join gateway using (gateway_id)
        where given.gateway_id in (select unnest(gateways)) and gateway.removed_at is null)
    and not exists (
      select from account_project given join project using (project_id)
        where given.account_id = account.account_id and project.removed_at is null and given.project_id not in (select unnest(projects)))
    and not exists (
      select from account_gateway given join gateway using (gateway_id)
        where given.account_id = account.account_id and gateway.removed_at is null
        and gateway.project_id not in (select unnest(projects)) and given.gateway_id not in (select unnest(gateways)))
$$;

-- The gateways and controllers that the actor sees, as the log calls them. With the owner's rights they are found by project, where the
-- policies would judge every gateway and every device there is.
create function seen_numbers() returns setof text language sql stable security definer set search_path from current as $$
  select number from gateway where project_id in (select unnest(seen_projects()))
  union all
  select number from gateway where gateway_id in (select unnest(seen_gateways()))
$$;
create function seen_controllers() returns setof text language sql stable security definer set search_path from current as $$
  select controller_id from device join gateway using (gateway_id) where project_id in (select unnest(seen_projects()))
  union all
  select controller_id from device where gateway_id in (select unnest(seen_gateways()))
$$;

drop policy seen on account;
create policy seen on account for select using (
  (select sees_all()) or account_id = (select seen_tree()) or account_id = (select seen_account())
  or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and kind in ('sub', 'shared') and (
    (select sees_whole_tree())
    or ((select seen_account()) is not null
      and account_id in (select accounts_within((select seen_tree()), (select seen_projects()), (select seen_gateways())))))));
drop function lies_within;

-- The inner selects of accounts and groups are under the policies of their own tables, so they hold only what the actor sees.
drop policy seen on audit;
create policy seen on audit for select using (
  (select sees_all()) or ((select sees_tree()) and tree is not distinct from (select seen_tree()) and (
    (select sees_whole_tree()) or ((select seen_account()) is not null and (
      actor_key = (select seen_account_name())
      or target in (select seen_numbers())
      or split_part(target, '/', 1) in (select seen_controllers())
      or target in (select 'project ' || id from unnest((select seen_projects())) id)
      or target in (select 'group ' || city_id from city)
      or lower(target) in (select lower(user_name) from account))))));
