-- When something was done on site, by the phone on which it was written, and how far that phone's clock was off once it was sent. `at` stays when
-- the server was told: clocks of orders go by it alone. Null: it was sent as it was done.
alter table work_order_step
  add column phone_at timestamptz,
  add column offset_ms bigint,
  add constraint work_order_step_of_phone check ((phone_at is null) = (offset_ms is null));
