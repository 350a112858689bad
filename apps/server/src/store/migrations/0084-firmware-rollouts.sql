-- A work can be given back, and a firmware roll-out is one: whichever server claims it goes on with it, and no other writes to it.

-- Null: nobody carries it out, and whoever looks next may claim it at once.
alter table due_work alter column holder drop not null;

-- What is open goes on. A gateway that did not come back may do so after its campaign has ended.
insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
select gen_random_uuid(), 'firmwareRollout', campaign_id, started_at, null, started_at, 0
from firmware_campaign c
where ended_at is null or exists (select from firmware_upgrade u where u.campaign_id = c.campaign_id and u.state = 'unknown');
