-- What somebody below the administrator sees of the tree's people, groups and log: of the people those whose equipment lies within their
-- own, of the groups those that hold a project of theirs, of the log their own entries and those about what they see.

-- A group that is still empty is seen by whoever made it: nobody else below the administrator could know of it.
alter table city add made_by uuid references account on delete set null;

-- Whether everything an account was given lies within these projects and single gateways. An account that was given nothing lies within
-- nobody's. With the owner's rights, because what lies outside cannot be seen under the policies, and is just what is asked for.
create function lies_within(account uuid, projects int[], gateways int[]) returns boolean
  language sql stable security definer set search_path from current as $$
  select coalesce(bool_and(inside), false) from (
    select coalesce(project_id = any(projects), false) as inside
      from account_project given join project using (project_id) where given.account_id = account and project.removed_at is null
    union all
    select coalesce(gateway.project_id = any(projects), false) or coalesce(gateway.gateway_id = any(gateways), false)
      from account_gateway given join gateway using (gateway_id) where given.account_id = account and gateway.removed_at is null) each
$$;

-- Whether a group holds no project, seen or not: with the owner's rights, because under the policies one that is not seen is not there.
create function holds_none(group_id int) returns boolean
  language sql stable security definer set search_path from current as
  $$ select not exists (select from project where project.city_id = group_id and removed_at is null) $$;

create function sees_whole_tree() returns boolean language sql stable as
  $$ select coalesce(current_setting('linewarden.whole_tree', true) = 'on', false) $$;
-- Nobody: a shared account, which sees equipment and no people.
create function seen_account() returns uuid language sql stable as
  $$ select nullif(current_setting('linewarden.account', true), '')::uuid $$;
-- With the owner's rights: the own name is read by the policy that guards names.
create function seen_account_name() returns text language sql stable security definer set search_path from current as
  $$ select lower(user_name) from account where account_id = nullif(current_setting('linewarden.account', true), '')::uuid $$;

drop policy seen on city;
create policy seen on city for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and (
    (select sees_whole_tree()) or (made_by = (select seen_account()) and holds_none(city_id))
    or exists (select from project where project.city_id = city.city_id))));

drop policy seen on role;
create policy seen on role for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree())
    and ((select sees_whole_tree()) or (select seen_account()) is not null)));

-- The tree's owner is named beside what belongs to them, and everybody knows themselves.
drop policy seen on account;
create policy seen on account for select using (
  (select sees_all()) or account_id = (select seen_tree()) or account_id = (select seen_account())
  or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and kind in ('sub', 'shared') and (
    (select sees_whole_tree())
    or ((select seen_account()) is not null and lies_within(account_id, (select seen_projects()), (select seen_gateways()))))));

-- Readings are many: which lines they may be of is found once, by `asSeenBy`, and each row compared with that.
create function seen_lines() returns int[] language sql stable as
  $$ select string_to_array(nullif(current_setting('linewarden.lines', true), ''), ',')::int[] $$;
alter table reading enable row level security;
alter table reading_hour enable row level security;
alter table reading_day enable row level security;
create policy seen on reading for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on reading_hour for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
create policy seen on reading_day for select using ((select sees_all()) or line_id = any ((select seen_lines())::int[]));
-- By its key where few lines are asked for, not by a list of every device there is.
drop policy seen on line;
create policy seen on line for select using (
  (select sees_all()) or exists (select from device where device.device_id = line.device_id));
do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on reading, reading_hour, reading_day, rollup_due, rollup_day_due to linewarden_seen;
  end if;
end $$;

-- The inner selects are under the policies of their own tables, so they hold only what the actor sees.
drop policy seen on audit;
create policy seen on audit for select using (
  (select sees_all()) or ((select sees_tree()) and tree is not distinct from (select seen_tree()) and (
    (select sees_whole_tree()) or ((select seen_account()) is not null and (
      lower(actor) = (select seen_account_name())
      or lower(target) in (select lower(user_name) from account)
      or split_part(target, '/', 1) in (select controller_id from device)
      or target in (select number from gateway)
      or target in (select 'project ' || id from unnest((select seen_projects())) id)
      or target in (select 'group ' || city_id from city))))));
