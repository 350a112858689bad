-- Lines that may be overloaded on the day after their last look are found by themselves: of many thousand lines they are a few.
alter table line_look add column load_again boolean generated always as (outcomes -> 'load.again' ->> 'is' = 'finding') stored;
create index line_look_load_again on line_look (line_id) where load_again;
