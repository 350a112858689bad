-- Hanging a lock-out tag was part of switching lines and is a right of its own: whoever could still can.
update role set buttons = array_append(buttons, 'tagLines')
where 'lineSwitch' = any (buttons) and not 'tagLines' = any (buttons);
