-- Why a round ended by itself, for whoever reads it in words; what people say of an end is in `reason`.
alter table inspection_round add column broke_off text check (broke_off in ('empty', 'tooLarge', 'failed'));
update inspection_round set broke_off = 'failed', reason = '' where kind = 'online' and state = 'abandoned' and reason = 'failed';
