-- Of an alarm that is raised after a delay the run is stored at the end of its transaction: until now none was ever raised.
alter table linkage_raised alter constraint linkage_raised_run_id_fkey deferrable initially deferred;
