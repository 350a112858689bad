-- An intent makes one order, or joins one, also when it was sent twice at the same moment.
create unique index work_order_step_made_once on work_order_step (act_id) where act in ('insert', 'join');
