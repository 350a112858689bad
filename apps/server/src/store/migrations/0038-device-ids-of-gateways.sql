-- A device's id on the wire is its gateway's own affair: two gateways may both have a "1". The controller id, by which the API calls it,
-- stays one of a kind.

alter table device add column wire_id text;
comment on column device.wire_id is 'as its gateway calls it; null: by its controller id';
create unique index device_on_wire on device (gateway_id, coalesce(wire_id, controller_id));
