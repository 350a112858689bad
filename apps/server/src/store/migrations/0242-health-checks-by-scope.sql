-- One at a time of a project, of a gateway and of a line, each for itself: who sees one gateway waits for nobody who sees another.
drop index health_check_running;
create unique index health_check_running on health_check (project_id, coalesce(gateway_id, 0), coalesce(line_id, 0)) where state = 'running';
