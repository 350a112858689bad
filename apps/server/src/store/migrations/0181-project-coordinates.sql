-- Where a project lies, in degrees, north and east positive: what timers by sunrise and sunset go by. Null: not entered.
alter table project add column latitude double precision check (latitude between -90 and 90);
alter table project add column longitude double precision check (longitude between -180 and 180);
alter table project add check ((latitude is null) = (longitude is null));
create trigger timers_of_coordinates_are_stale after update of latitude, longitude on project
  for each row when (old.latitude is distinct from new.latitude or old.longitude is distinct from new.longitude)
  execute function timers_of_zone_are_stale();
