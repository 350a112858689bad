-- Whose lines somebody sees is asked for their commands with every page of them, over thousands of lines: the index alone answers it.
alter table line
  drop constraint line_device_id_line_no_key,
  add constraint line_device_id_line_no_key unique (device_id, line_no) include (line_id);
