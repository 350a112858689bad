-- When a session's person gave the password last; null: they came in from memory and have not yet.
alter table session add column proved_at timestamptz;
update session set proved_at = created_at where proved;
alter table session drop column proved;
