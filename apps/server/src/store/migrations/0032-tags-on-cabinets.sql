-- A tag hangs on a line, on a device or on a gateway, and holds every line behind that, those born later too.
alter table line_tag rename to tag;
alter index line_tag_line rename to tag_line;
alter index line_tag_hanging rename to tag_hanging;
alter table tag
  alter column line_id drop not null,
  add column device_id int references device,
  add column gateway_id int references gateway,
  -- When its holder thinks to be done. Nothing happens by itself then: a tag hangs until somebody takes it off.
  add column expected_end timestamptz,
  add constraint tag_on_one check (num_nonnulls(line_id, device_id, gateway_id) = 1);
create index tag_device on tag (device_id) where device_id is not null;
create index tag_gateway on tag (gateway_id) where gateway_id is not null;

drop policy seen on tag;
create policy seen on tag for select using (
  (select sees_all()) or line_id in (select line_id from line) or device_id in (select device_id from device)
    or gateway_id in (select gateway_id from gateway));
