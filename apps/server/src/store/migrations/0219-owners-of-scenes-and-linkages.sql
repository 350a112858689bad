-- Whoever may do less, or is gone, leaves scenes and linkages without an owner as well as timers: their projects are checked at once, and not only
-- in the night that follows.
create or replace function account_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select project_id from timer where owner_id = coalesce(new.account_id, old.account_id) and removed_at is null
    union
    select project_id from scene where owner_id = coalesce(new.account_id, old.account_id) and removed_at is null
    union
    select project_id from linkage where owner_id = coalesce(new.account_id, old.account_id) and removed_at is null;
  return null;
end $$;
create or replace function role_marks_projects() returns trigger language plpgsql as $$
begin
  insert into timer_check_mark (project_id)
    select project_id from timer join account on account.account_id = timer.owner_id
      where account.role_id = new.role_id and timer.removed_at is null
    union
    select project_id from scene join account on account.account_id = scene.owner_id
      where account.role_id = new.role_id and scene.removed_at is null
    union
    select project_id from linkage join account on account.account_id = linkage.owner_id
      where account.role_id = new.role_id and linkage.removed_at is null;
  return null;
end $$;
