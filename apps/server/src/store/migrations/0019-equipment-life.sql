-- When a device was put in, until when its maker answers for it, and how many years it is good for. Null: nobody has written it down.
alter table device add column installed_on date;
alter table device add column warranty_until date check (warranty_until >= installed_on);
alter table device add column service_years smallint check (service_years between 1 and 50);
-- Of what people wrote down: somebody else saved in between when it is another one.
alter table device add column version integer not null default 1;
create index device_dated on device (device_id) where warranty_until is not null or service_years is not null;
