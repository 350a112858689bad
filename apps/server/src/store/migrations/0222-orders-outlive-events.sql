-- What an order was made from may be taken back with the history of its gateway: the order keeps its number. And whoever links an alarm keeps
-- nobody from it while they wait for their turn at the log.
alter table work_order_event drop constraint work_order_event_event_id_fkey;
