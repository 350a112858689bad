-- A person's word on a line stands among what was ordered of it by the fence of the line, not by a clock: of two servers, or of a clock that is
-- set back, the later one counts.
alter table line_override add column fence bigint;
update line_override set fence = coalesce(
  (select max(fence) from command where command.line_id = line_override.line_id and command.issued_at <= line_override.since), 0);
alter table line_override alter column fence set not null;
create index command_of_person_by_fence on command (line_id, fence desc)
  where source in ('console', 'group', 'scene') and action in ('trip', 'close');
drop index command_of_person;
