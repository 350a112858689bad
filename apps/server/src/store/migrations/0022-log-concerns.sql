-- Who sees an entry of the log below the administrator depends on what it is about, and that on what was done: one key says both, so that
-- one comparison judges an entry. It takes the place of `about`, which said only whom to judge.

-- The log is written anew once, for this column. Its hashes cover the entry's own fields, so they stay right.
alter table audit
  drop column about,
  -- Null: it is the administrator's and its author's only. That is all which names no thing that somebody sees, and what was refused before
  -- it reached its target, by the call's name, because it names things unchecked.
  add column concern text generated always as (
    case
      when split_part(action, '.', 1) in ('account', 'login', 'logout', 'session') then 'account:' || lower(target)
      when position('.' in action) = 0 then null
      when split_part(action, '.', 1) in ('project', 'group') then split_part(action, '.', 1) || ':' || target
      when split_part(action, '.', 1) in ('gateway', 'firmware') then 'gateway:' || target
      -- Of a whole gateway or of one controller: the target alone does not say which.
      when split_part(action, '.', 1) = 'inspection' and position('/' in target) = 0 then 'inspection:' || target
      when split_part(action, '.', 1) in
        ('line', 'device', 'trip', 'tag', 'token', 'selfTest', 'reclosure', 'setting', 'inspection')
        then 'device:' || split_part(target, '/', 1)
    end) stored;
-- Somebody sees hundreds of keys, and the planner compares each with every frequent value that it knows: few of them say enough.
alter table audit alter column concern set statistics 10;
create index audit_concern on audit (concern);

-- Equipment and projects that the actor sees, as the log calls them. With the owner's rights they are found by project, where the policies
-- would judge every gateway and every device there is.
create function seen_concerns() returns setof text language sql stable security definer set search_path from current as $$
  with place as (
    select gateway_id, number from gateway where project_id in (select unnest(seen_projects()))
    union
    select gateway_id, number from gateway where gateway_id in (select unnest(seen_gateways())))
  select kind || number from place, unnest(array['gateway:', 'inspection:']) kind
  union all
  select kind || controller_id from place join device using (gateway_id), unnest(array['device:', 'inspection:']) kind
  union all
  select 'project:project ' || id from unnest(seen_projects()) id
$$;

-- One comparison per entry with what is found once. Groups and accounts are under the policies of their own tables.
drop policy seen on audit;
create policy seen on audit for select using (
  (select sees_all()) or ((select sees_tree()) and tree is not distinct from (select seen_tree()) and (
    (select sees_whole_tree()) or ((select seen_account()) is not null and (
      actor_key = (select seen_account_name())
      or concern in (
        select seen_concerns()
        union all select 'group:group ' || city_id from city
        union all select 'account:' || lower(user_name) from account))))));
drop function seen_numbers;
drop function seen_controllers;

-- What is known of a new column is nothing, and until the database looks at it by itself the log would be read by the wrong way.
analyze audit;

-- The lines that the actor sees, for their commands. With the owner's rights they are found by project, where the policies would judge every
-- line there is: the same lines, because a line is seen when its gateway is.
create function seen_line_ids() returns setof int language sql stable security definer set search_path from current as $$
  select line_id from line join device using (device_id) join gateway using (gateway_id)
    where project_id in (select unnest(seen_projects()))
  union all
  select line_id from line join device using (device_id) where gateway_id in (select unnest(seen_gateways()))
$$;
drop policy seen on command;
create policy seen on command for select using ((select sees_all()) or line_id in (select seen_line_ids()));
