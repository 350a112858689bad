-- One way for settings: what the detectors' own calls had set as commands moves to the other settings, with its steps; and the second wall of
-- migration 0005 for the tables that came after it.

-- What happened to a setting, step by step, as it became known. Only ever appended to.
create table setting_step (
  command_id uuid not null references setting_change on delete cascade,
  step_no int not null,
  state text not null,
  at timestamptz not null,
  evidence jsonb not null,
  primary key (command_id, step_no)
);

insert into setting_change (command_id, batch_id, gateway_id, line_id, wanted, former, state, outcome, account_id, actor, source, reason,
  fence, issued_at, deadline, sent_at, acknowledged_at, verified_at, ended_at)
select c.command_id, c.command_id, d.gateway_id, c.line_id, coalesce(c.settings, '{}'),
  coalesce((select jsonb_object_agg(key, null) from jsonb_object_keys(c.settings) key), '{}'),
  c.state, c.outcome, c.account_id, c.actor, 'console', c.reason, c.fence, c.issued_at, c.deadline, c.sent_at, c.acknowledged_at,
  c.verified_at, c.ended_at
from command c join line l using (line_id) join device d using (device_id)
where c.action = 'set';
insert into setting_step (command_id, step_no, state, at, evidence)
select command_id, step_no, s.state, at, evidence from command_step s join command c using (command_id) where c.action = 'set';
delete from command where action = 'set';

alter table command drop column settings, drop constraint command_action_check;
alter table command add constraint command_action_check check (action in ('trip', 'close', 'silence', 'selfTest'));
-- Whatever is ordered of a line first asks whether something is under way.
create index command_under_way on command (line_id) where state in ('authorised', 'sent', 'acknowledged');

-- `in` and not `exists`: what one sees of lines is then found once per query, not once per row.
alter table line enable row level security;
alter table command enable row level security;
alter table command_step enable row level security;
alter table line_tag enable row level security;
alter table inspection enable row level security;
alter table self_test enable row level security;
alter table detection_plan enable row level security;
alter table quiet_hours enable row level security;
alter table operation_run enable row level security;
alter table operation_run_line enable row level security;
alter table reclosure enable row level security;
alter table setting_template enable row level security;
alter table setting_change enable row level security;
alter table setting_step enable row level security;
alter table setting_desired enable row level security;
alter table setting_off enable row level security;
-- Fences are for whoever authorises; nobody reads them under this role.
alter table gateway_fence enable row level security;
alter table command_fence enable row level security;

create policy seen on line for select using ((select sees_all()) or device_id in (select device_id from device));
create policy seen on command for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on command_step for select using (
  (select sees_all()) or exists (select from command where command.command_id = command_step.command_id));
create policy seen on line_tag for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on inspection for select using ((select sees_all()) or gateway_id in (select gateway_id from gateway));
create policy seen on self_test for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on detection_plan for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on quiet_hours for select using ((select sees_all()) or project_id in (select project_id from project));
create policy seen on operation_run_line for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on operation_run for select using (
  (select sees_all()) or exists (select from operation_run_line where operation_run_line.run_id = operation_run.run_id));
create policy seen on reclosure for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on setting_template for select using (
  (select sees_all()) or ((select sees_tree()) and owner_id is not distinct from (select seen_tree())));
create policy seen on setting_change for select using ((select sees_all()) or gateway_id in (select gateway_id from gateway));
create policy seen on setting_step for select using (
  (select sees_all()) or exists (select from setting_change where setting_change.command_id = setting_step.command_id));
create policy seen on setting_desired for select using ((select sees_all()) or line_id in (select line_id from line));
create policy seen on setting_off for select using ((select sees_all()) or line_id in (select line_id from line));

do $$
begin
  if exists (select from pg_roles where rolname = 'linewarden_seen') then
    grant select on line, command, command_step, line_tag, inspection, self_test, detection_plan, quiet_hours, operation_run,
      operation_run_line, reclosure, setting_template, setting_change, setting_step, setting_desired, setting_off to linewarden_seen;
  end if;
end $$;
