-- Why a line was closed by itself is written by the server, in both languages: until now in one text with a slash between. `reason_en` is null
-- where a person wrote the reason, in words of their own.
alter table command add column reason_en text;
update command set reason = split_part(reason, ' / ', 1), reason_en = split_part(reason, ' / ', 2)
where source = 'reclosure' and reason like '% / %';
