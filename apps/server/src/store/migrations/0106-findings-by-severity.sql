-- Findings are listed worst first: by level, then by where they stand against their limit. Of a voltage that is missing the smaller is the
-- worse. Whose a proof is stands beside it, so that row security asks no second table for each row.
alter table warning_evidence add column severity smallint not null
  generated always as (case level when 'alarm' then 3 when 'warning' then 2 else 1 end) stored;
alter table warning_evidence add column share double precision generated always as (
  case when (evidence ->> 'unit') = 'V' and (evidence ->> 'value')::float8 > 0
    then greatest((evidence ->> 'value')::float8 / nullif((evidence ->> 'limit')::float8, 0), (evidence ->> 'limit')::float8 / (evidence ->> 'value')::float8)
    else (evidence ->> 'value')::float8 / nullif((evidence ->> 'limit')::float8, 0) end) stored;
alter table warning_evidence add column seen_project_id int;
alter table warning_evidence add column seen_gateway_id int;
update warning_evidence set seen_project_id = event.project_id, seen_gateway_id = event.gateway_id from event where event.event_id = warning_evidence.event_id;
create function warning_evidence_placed() returns trigger language plpgsql as $$
begin
  select project_id, gateway_id into new.seen_project_id, new.seen_gateway_id from event where event_id = new.event_id;
  return new;
end $$;
create trigger warning_evidence_placed before insert on warning_evidence for each row execute function warning_evidence_placed();
create function event_place_changed() returns trigger language plpgsql as $$
begin
  update warning_evidence set seen_project_id = new.project_id, seen_gateway_id = new.gateway_id where event_id = new.event_id;
  return null;
end $$;
create trigger event_place_changed after update of project_id, gateway_id on event for each row
  when ((old.project_id, old.gateway_id) is distinct from (new.project_id, new.gateway_id)) execute function event_place_changed();
drop policy seen on warning_evidence;
create policy seen on warning_evidence for select using (
  (select sees_all()) or seen_project_id = any ((select seen_projects())::int[]) or seen_gateway_id = any ((select seen_gateways())::int[]));
create index event_finding_open on event (event_id) where kind = 'warning' and state in ('active', 'acknowledged', 'returned');
