import {
  current,
  energy,
  localLock,
  overloadAlarm,
  overloadDelay,
  overloadTrip,
  overloadWarning,
  position,
  temperature,
  temperatureAlarm,
  totalPower,
  tripCause,
  voltage,
} from '../electrical.ts'
import { currentAlarms, temperatureAlarms, tripAlarmsWithoutLeakage } from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Switched power controller: its ways are the device's lines, each switched on and off by itself, through the same gate as a breaker. */
export const powerController = family({
  key: 'powerController',
  label: { zh: '多路电源控制器', en: 'Multi-way power controller' },
  level: 'line',
  icon: 'ways',
  calls: ['GET /pps/list', 'GET /pps/details', 'PUT /pps/control'],
  models: ['PPS-4', 'PPS-8'],
  points: [current('A'), voltage('A'), totalPower, temperature('A'), energy],
  states: [position, tripCause, localLock],
  settings: [overloadTrip, overloadDelay, overloadWarning, overloadAlarm, temperatureAlarm],
  actions: [
    { key: 'trip', label: { zh: '断电', en: 'Switch off' }, confirmedBy: { state: 'position', value: 'open' } },
    { key: 'close', label: { zh: '通电', en: 'Switch on' }, confirmedBy: { state: 'position', value: 'closed' } },
  ],
  alarms: [...currentAlarms(['current.a']), ...temperatureAlarms(['temperature.a']), ...tripAlarmsWithoutLeakage],
})
