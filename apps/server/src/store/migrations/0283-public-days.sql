-- Days that the state arranged, as somebody entered them: tariffs go by them, too, and not only timers (ADR 158).
alter table day_class add column is_public boolean not null default false check (not is_public or class in ('workday', 'holiday'));
alter table owner_day_class add column is_public boolean not null default false check (not is_public or class in ('workday', 'holiday'));
