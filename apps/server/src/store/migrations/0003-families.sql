-- Commands other than switching: silencing, self-tests and settings go through the same ledger.
alter table command drop constraint command_action_check;
alter table command add constraint command_action_check check (action in ('trip', 'close', 'silence', 'selfTest', 'set'));
-- What a `set` command sets, by key: the reported settings are compared with it.
alter table command add column settings jsonb check ((settings is not null) = (action = 'set'));
