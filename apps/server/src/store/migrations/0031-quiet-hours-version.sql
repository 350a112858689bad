-- The quiet hours of a project are saved all at once: whoever saves them says in which version they read them, and takes nothing back that
-- somebody else has saved since.
alter table project add quiet_version int not null default 1;
