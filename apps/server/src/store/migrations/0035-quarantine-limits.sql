-- One row may stand for many messages: of a gateway that sends nothing else, the first of each hour are kept and the others counted.
alter table quarantine add column messages integer not null default 1;
create unique index quarantine_over_limit on quarantine (coalesce(gateway_number, ''), received_at) where reason = 'over_limit';
create index quarantine_by_gateway on quarantine (gateway_number, quarantine_id);
