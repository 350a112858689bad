-- Whether a danger led to a run of a linkage, over however many runs: nothing is closed by itself after that. Null: it was not kept, and may have.
alter table automation_run add column after_danger boolean;
