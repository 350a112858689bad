-- Who answers for a linkage is looked at after each change of it, as with timers and scenes.
create trigger linkage_is_checked after insert or update of enabled, owner_id, removed_at, version on linkage
  for each row execute function timer_marks_project();
