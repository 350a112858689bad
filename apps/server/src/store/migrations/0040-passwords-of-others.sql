-- Whoever got a password from somebody else chooses one of their own before anything else. Accounts that are there keep theirs.
alter table account add column must_change_password boolean not null default false;
