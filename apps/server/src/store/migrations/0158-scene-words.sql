-- A scene that a person pressed is their word on its lines, as what they order of one line is.
create index command_of_person on command (line_id, issued_at desc)
  where source in ('console', 'group', 'scene') and action in ('trip', 'close');
drop index command_by_person;
