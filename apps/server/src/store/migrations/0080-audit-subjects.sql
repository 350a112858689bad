-- What an entry of the log is about stands in columns of its own, filled when it is written: until now it was read out of the sentence in
-- `target`, and by `concern`, which was drawn from that sentence and from what was done.

alter table audit
  -- Which fields the entry's hash covers. 1: not the new ones.
  add column chain smallint not null default 1,
  add column subject_kind text,
  add column subject_id text,
  -- The equipment it happened at. No reference: the log outlives what it tells of.
  add column gateway_id int,
  -- A request was refused before anybody looked at what it named: that is for nobody below the administrator.
  add column claimed boolean not null default false;
alter table audit alter column chain drop default, alter column claimed drop default;
-- Of the entries that are there it is not asked: `store/audit/bring-over.ts` fills them in while the server runs.
alter table audit add constraint audit_subject_known check (chain = 1 or (subject_kind is not null and subject_id is not null)) not valid;

drop policy seen on audit;
drop function seen_concerns;
alter table audit drop column concern;

create index audit_gateway on audit (gateway_id, audit_id) where gateway_id is not null;
create index audit_subject on audit (subject_kind, subject_id) where subject_kind in ('account', 'project', 'group') and not claimed;
-- Somebody sees hundreds of gateways, and the planner compares each with every frequent value that it knows: few of them say enough.
alter table audit alter column gateway_id set statistics 10, alter column subject_id set statistics 10;

-- With the owner's rights they are found by project, where the policies would judge every gateway there is.
create function seen_gateway_ids() returns setof int language sql stable security definer as $$
  select gateway_id from gateway where project_id in (select unnest(seen_projects()))
  union all
  select unnest(seen_gateways())
$$;
do $$
begin
  execute format('alter function seen_gateway_ids set search_path = %I, pg_temp', current_schema());
  revoke execute on function seen_gateway_ids from public;
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant execute on function seen_gateway_ids to linewarden_seen;
  end if;
end $$;

-- Groups and accounts are under the policies of their own tables.
create policy seen on audit for select using (
  (select sees_all()) or ((select sees_tree()) and tree is not distinct from (select seen_tree()) and (
    (select sees_whole_tree()) or ((select seen_account()) is not null and (
      actor_key = (select seen_account_name())
      or gateway_id in (select seen_gateway_ids())
      or (not claimed and (
        (subject_kind = 'project' and subject_id in (select id::text from unnest((select seen_projects())) id))
        or (subject_kind = 'group' and subject_id in (select city_id::text from city))
        or (subject_kind = 'account' and subject_id in (select lower(user_name) from account)))))))));

-- Append-only, but for what an entry from before is about, which is filled in once.
create function audit_is_filled_once() returns trigger language plpgsql as $$
begin
  if old.subject_kind is null and new.subject_kind is not null and old.chain = 1 and new.chain = 1
    and (new.audit_id, new.at, new.actor, new.address, new.action, new.target, new.outcome, new.previous_hash, new.hash)
      = (old.audit_id, old.at, old.actor, old.address, old.action, old.target, old.outcome, old.previous_hash, old.hash)
    and new.before is not distinct from old.before and new.after is not distinct from old.after and new.tree is not distinct from old.tree
  then return new; end if;
  raise exception 'the audit log is append-only';
end $$;
drop trigger audit_append_only on audit;
create trigger audit_append_only before update on audit for each row execute function audit_is_filled_once();
create trigger audit_no_delete before delete on audit for each statement execute function audit_is_append_only();

-- How far the entries from before are filled in: those with smaller numbers are not. No row: all are.
create table audit_bring_over (below bigint not null);
insert into audit_bring_over select max(audit_id) + 1 from audit having max(audit_id) is not null;

-- What an entry from before this migration is about, as the server read it out of the entry's sentence until then, and at which controller or
-- gateway it happened, as they are called in the log. It stands here for ever and learns nothing new.
create function audit_subject_before(action text, target text,
  out kind text, out id text, out claimed boolean, out gateway_number text, out controller_id text)
  language plpgsql immutable as $$
declare
  topic constant text := split_part(action, '.', 1);
  one_word constant boolean := target ~ '^[^/ ]+$';
  is_line constant boolean := target ~ '^[^/ ]+/[0-9]{1,4}$';
  equipment constant text := case when is_line then 'line' when one_word then 'device' end;
  -- `trip:C-1/3`, `close:run/{id}/{hash}`: what a control password was given for.
  asked constant text[] := regexp_match(regexp_replace(target, '/[0-9a-f]{64}$', ''), '^([A-Za-z]+):(.+)$');
begin
  claimed := false;
  if topic in ('account', 'login', 'logout', 'session') then
    if target <> '' then kind := 'account'; id := lower(target); end if;
  elsif position('.' in action) = 0 then
    -- Refused before it reached its target: by the call's name, with what the call named.
    claimed := true;
    if action in ('editEquipment', 'operateLine', 'recordTripCause', 'setStatus', 'setController', 'updateLine', 'updateThreeLine',
      'smokeSilencing', 'gasSilencing', 'nt8141Silencing', 'nt8117Silencing', 'nt9141Silencing', 'aespSilencing', 'detectorRsControl',
      'detectorLteControl', 'detectorSetPoints', 'detectorAlarmSwitches', 'airUpdate', 'ppsControl', 'issueToken', 'revokeToken', 'placeTag',
      'removeTag', 'startRun', 'testLeakages', 'setReclosure', 'setFeed') then kind := equipment;
    elsif target !~ '^[0-9]{1,9}$' then kind := null;
    elsif action in ('editProject', 'deleteProject', 'setProjectCcid', 'transferProject', 'addGateway', 'addGateways', 'setQuietHours',
      'addPush', 'editPush', 'rotatePush', 'deletePush') then kind := 'project';
    elsif action in ('renameGateway', 'renameLine', 'deleteGateway', 'enableGateway', 'rotateSecret', 'setReportingInterval', 'setDetection',
      'upgradeController') then kind := 'gatewayId';
    end if;
  elsif topic in ('project', 'group', 'role') then
    if target ~ ('^' || topic || ' [0-9]{1,9}$') then kind := topic; id := split_part(target, ' ', 2); end if;
  elsif topic = 'push' then
    id := array_to_string(regexp_match(target, '^project ([0-9]{1,9}) push ([0-9]{1,9})$'), '/');
    if id is not null then kind := 'push'; end if;
  elsif topic = 'firmware' and target ~ '^(campaign|gateway) [0-9]{1,9}$' then
    kind := case when starts_with(target, 'campaign') then 'campaign' else 'gatewayId' end;
    id := split_part(target, ' ', 2);
  elsif topic in ('gateway', 'firmware') then
    if one_word then kind := 'gateway'; end if;
    gateway_number := target;
  elsif topic = 'inspection' then
    if one_word then kind := 'gatewayOrDevice'; end if;
    if position('/' in target) = 0 then gateway_number := target; end if;
    controller_id := split_part(target, '/', 1);
  elsif topic in ('line', 'device', 'trip', 'tag', 'token', 'selfTest', 'reclosure', 'setting') then
    kind := equipment;
    controller_id := split_part(target, '/', 1);
    if topic = 'setting' and target ~ '^[0-9]+ lines, \S+$' then
      kind := 'batch';
      id := regexp_replace(target, ' lines, ', '/');
    end if;
  elsif topic = 'event' then
    if target ~ '^[0-9]{1,18}$' then kind := 'event'; end if;
  elsif topic = 'control' and asked is not null then
    id := case
      when asked[2] like 'run/_%' and asked[1] in ('trip', 'close', 'selfTest', 'stop') then 'run.' || asked[1] || ':run:' || substr(asked[2], 5)
      when asked[2] not like 'run/%' and asked[1] in ('rename', 'trip', 'close', 'silence', 'selfTest', 'feed') then 'line.' || asked[1]
      when asked[1] = 'reclosure' then 'reclosure.set'
      when asked[1] = 'set' then 'setting.console:batch:' || asked[2]
      when asked[1] = 'account' then 'account.edit'
    end;
    if position(':' in id) = 0 then
      id := id || ':' || case
        when asked[2] ~ '^[^/ ]+/[0-9]{1,4}$' then 'line'
        when asked[2] ~ '^[^/ ]+$' then 'device'
        else 'nothing' end || ':' || asked[2];
    end if;
    if id is not null then kind := 'operation'; end if;
  end if;
  kind := coalesce(kind, 'nothing');
  id := case when kind = 'nothing' then '' else coalesce(id, target) end;
end $$;
