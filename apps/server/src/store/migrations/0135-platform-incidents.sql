-- That the platform was away is an incident of each project that it left in silence: whoever sees its root sees it, as with any other.
drop policy seen on incident;
create policy seen on incident for select using (exists (select from event where event.event_id = incident.root_event_id));
