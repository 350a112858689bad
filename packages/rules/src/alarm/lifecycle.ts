/** ISA-18.2 alarm states: active and unacknowledged, active and acknowledged, returned but unacknowledged, normal. */
export type AlarmState = 'active' | 'acknowledged' | 'returned' | 'normal'
export type AlarmEvent = 'raise' | 'return' | 'acknowledge'

const table: Record<AlarmState, Record<AlarmEvent, AlarmState>> = {
  active: { raise: 'active', return: 'returned', acknowledge: 'acknowledged' },
  acknowledged: { raise: 'acknowledged', return: 'normal', acknowledge: 'acknowledged' },
  returned: { raise: 'active', return: 'returned', acknowledge: 'normal' },
  normal: { raise: 'active', return: 'normal', acknowledge: 'normal' },
}

/** The state after an event. */
export const foldAlarm = (state: AlarmState, event: AlarmEvent): AlarmState => table[state][event]
