-- A second wall behind the services' own filters: lists are read under a role that sees only the rows of the actor's tree, whatever the
-- query forgot. The role can only read, and only the tables named here; a new table is closed to it until it has a policy.
--
-- Roles belong to the whole server, so another database may be making it at this moment. Where the installation may make no roles (an
-- external database run by somebody else), there is no second wall and the first one stands alone.
do $$
begin
  if not exists (select from pg_roles where rolname = 'linewarden_seen') then
    create role linewarden_seen nologin;
  end if;
exception
  when insufficient_privilege then raise notice 'row-level security is off: this database user may not make roles';
  when duplicate_object or unique_violation then null;
end $$;
do $$
begin
  -- A superuser needs no membership, and granting it all the same would collide with other databases doing so.
  if exists (select from pg_roles where rolname = 'linewarden_seen' and not pg_has_role(current_user, oid, 'member')) then
    execute format('grant linewarden_seen to %I', current_user);
  end if;
exception
  when insufficient_privilege then raise notice 'row-level security is off: this database user may not take its role';
end $$;

-- What the actor sees, set at the beginning of each such transaction. Nothing set is nothing seen.
create function seen_projects() returns int[] language sql stable as
  $$ select string_to_array(nullif(current_setting('linewarden.projects', true), ''), ',')::int[] $$;
create function seen_gateways() returns int[] language sql stable as
  $$ select string_to_array(nullif(current_setting('linewarden.gateways', true), ''), ',')::int[] $$;
create function seen_tree() returns uuid language sql stable as
  $$ select nullif(current_setting('linewarden.tree', true), '')::uuid $$;
create function sees_all() returns boolean language sql stable as
  $$ select coalesce(current_setting('linewarden.all', true) = 'on', false) $$;
-- An actor of the installation's own tree has no owner to name, so that there is one is said apart.
create function sees_tree() returns boolean language sql stable as
  $$ select coalesce(current_setting('linewarden.has_tree', true) = 'on', false) $$;

alter table project enable row level security;
alter table gateway enable row level security;
alter table device enable row level security;
alter table event enable row level security;
alter table city enable row level security;
alter table role enable row level security;
alter table account enable row level security;
alter table account_project enable row level security;
alter table account_gateway enable row level security;
alter table audit enable row level security;

-- Each function is asked once per query, not once per row: that is what the inner selects are for.
create policy seen on project for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[])
  or exists (select from gateway where gateway.project_id = project.project_id));
create policy seen on gateway for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]));
create policy seen on device for select using (exists (select from gateway where gateway.gateway_id = device.gateway_id));
create policy seen on event for select using (
  (select sees_all()) or project_id = any ((select seen_projects())::int[]) or gateway_id = any ((select seen_gateways())::int[]));
create policy seen on city for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree())));
create policy seen on role for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree())));
create policy seen on account for select using (
  (select sees_all()) or account_id = (select seen_tree())
  or ((select sees_tree()) and owner_id is not distinct from (select seen_tree()) and kind in ('sub', 'shared')));
create policy seen on account_project for select using (
  (select sees_all()) or exists (select from account where account.account_id = account_project.account_id));
create policy seen on account_gateway for select using (
  (select sees_all()) or exists (select from account where account.account_id = account_gateway.account_id));
create policy seen on audit for select using (
  (select sees_all()) or ((select sees_tree()) and tree is not distinct from (select seen_tree())));

do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on project, gateway, device, event, city, role, account, account_project, account_gateway, audit to linewarden_seen;
  end if;
end $$;
