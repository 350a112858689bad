-- Lists of findings read one narrow table: what they ask of an event stands beside its proof, as whose it is already does.
alter table warning_evidence add column seen_device_id int;
alter table warning_evidence add column seen_line_id int;
alter table warning_evidence add column seen_key text;
alter table warning_evidence add column seen_state text;
alter table warning_evidence add column seen_shelved_until timestamptz;
update warning_evidence set seen_device_id = event.device_id, seen_line_id = event.line_id, seen_key = event.key, seen_state = event.state,
  seen_shelved_until = event.shelved_until from event where event.event_id = warning_evidence.event_id;

create or replace function warning_evidence_placed() returns trigger language plpgsql as $$
begin
  select project_id, gateway_id, device_id, line_id, key, state, shelved_until
    into new.seen_project_id, new.seen_gateway_id, new.seen_device_id, new.seen_line_id, new.seen_key, new.seen_state, new.seen_shelved_until
    from event where event_id = new.event_id;
  return new;
end $$;

-- Whoever writes an event has its row before that of its proof: nobody waits for them the other way round.
drop trigger event_place_changed on event;
drop function event_place_changed;
create function finding_changed() returns trigger language plpgsql as $$
begin
  update warning_evidence set seen_project_id = new.project_id, seen_gateway_id = new.gateway_id, seen_device_id = new.device_id,
    seen_line_id = new.line_id, seen_key = new.key, seen_state = new.state, seen_shelved_until = new.shelved_until
    where event_id = new.event_id;
  return null;
end $$;
create trigger finding_changed after update of project_id, gateway_id, device_id, line_id, key, state, shelved_until on event for each row
  when (new.kind = 'warning' and (old.project_id, old.gateway_id, old.device_id, old.line_id, old.key, old.state, old.shelved_until)
    is distinct from (new.project_id, new.gateway_id, new.device_id, new.line_id, new.key, new.state, new.shelved_until))
  execute function finding_changed();

-- Years of findings that are over are not read to list those that are open.
create index warning_evidence_open on warning_evidence (event_id) where seen_state in ('active', 'acknowledged', 'returned');
create index warning_evidence_gateway on warning_evidence (seen_gateway_id);
create index warning_evidence_line on warning_evidence (seen_line_id);
