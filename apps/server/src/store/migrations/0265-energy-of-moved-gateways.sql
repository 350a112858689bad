-- What is made of projects and gateways that changed is found by key, a gateway that moves takes its months along, and a project left without lines
-- loses its days.
create function remake_energy(projects int[], gateways int[]) returns void language sql as $$
  delete from energy_profile where kind = 'p' and id = any (projects);
  delete from energy_profile where kind = 'g' and id = any (gateways);
  delete from energy_month where kind = 'p' and id = any (projects);
  delete from energy_month where kind = 'g' and id = any (gateways);
  delete from energy_month where kind = 'l' and id in (select line_id from line join device using (device_id) where gateway_id = any (gateways));
  insert into energy_profile_due (project_id, day)
    select project_id, day::date from unnest(projects) as project_id
      cross join (
        -- A project whose last gateway was moved away has days as well, of which nothing may be left.
        select min(since) as since from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
        where project_id = any (projects) or gateway_id = any (gateways)
      ) as begun
      cross join generate_series(since - interval '1 day', now() + interval '1 day', interval '1 day') as day
    except select project_id, day from energy_profile_due;
$$;

create or replace function energy_zone_changed() returns trigger language plpgsql as $$
begin
  perform remake_energy(array[new.project_id], array(select gateway_id from gateway where project_id = new.project_id));
  return null;
end $$;
create or replace function energy_project_changed() returns trigger language plpgsql as $$
begin
  perform remake_energy(array[old.project_id, new.project_id], array[new.gateway_id]);
  return null;
end $$;
drop function remake_energy(int, int);
