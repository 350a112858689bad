-- An answer replaces those that were known when it was made. Of two that did not know of each other both are held.
alter table inspection_answer
  -- Ids of the answers of other phones that were known when it was made.
  add column after jsonb not null default '[]',
  -- A later one has replaced it; it stays for whoever asks what was said.
  add column replaced boolean not null default false;

-- So far the higher revision counted, known or not: what was decided so stays.
update inspection_answer later set after = (
  select coalesce(jsonb_agg(earlier.answer_id::text order by earlier.answer_id), '[]') from inspection_answer earlier
  where (earlier.round_id, earlier.stop_id, earlier.item_id) = (later.round_id, later.stop_id, later.item_id) and earlier.rev < later.rev);
update inspection_answer earlier set replaced = true where exists (
  select from inspection_answer later
  where (later.round_id, later.stop_id, later.item_id) = (earlier.round_id, earlier.stop_id, earlier.item_id) and later.rev > earlier.rev);
alter table inspection_answer alter column after drop default;

-- The same said by two phones is two answers: one of them may be given anew.
alter table inspection_answer drop constraint inspection_answer_round_id_stop_id_item_id_rev_content_hash_key;
alter table inspection_answer add constraint inspection_answer_once
  unique (round_id, stop_id, item_id, rev, content_hash, phone_id, person_id);
create index inspection_answer_held on inspection_answer (round_id, answer_id) where not replaced;
