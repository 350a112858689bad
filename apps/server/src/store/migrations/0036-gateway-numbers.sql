-- A gateway may be numbered as Sparkplug has it for an edge node id: what announces itself under such a number can be claimed, too.
alter table announced_gateway drop constraint announced_gateway_number_check;
alter table announced_gateway add constraint announced_gateway_number_check check (number ~ '^[^+#/[:cntrl:]]{1,64}$');
