-- Of a check with a line whose hazards could not be opened: when that was tried last, and why it failed. It is tried again; what was opened is not.
alter table health_check add column hazards_tried_at timestamptz;
alter table health_check add column hazards_failed text;
-- Of a content that could not be removed where it lies: the same.
alter table photo_content add column removal_tried_at timestamptz;
alter table photo_content add column removal_failed text;
