-- The project went to another owner then, and nobody has made a new secret since: whoever administered it before knows the old one.
alter table push add owner_changed_at timestamptz;
