import {
  breakerSettings,
  current,
  energy,
  lineCalls,
  localLock,
  position,
  powerFactor,
  switchActions,
  temperature,
  totalPower,
  tripCause,
  voltage,
} from '../electrical.ts'
import { currentAlarms, temperatureAlarms, tripAlarmsWithoutLeakage, voltageAlarms } from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Remotely operated single-phase miniature breaker. It senses no residual current, so it has neither that value nor its self-test. */
export const airSwitch1p = family({
  key: 'airSwitch1p',
  label: { zh: '单相空气开关', en: 'Single-phase MCB' },
  level: 'line',
  icon: 'airSwitch',
  calls: ['GET /air/details', 'PUT /air/update', ...lineCalls],
  models: ['AIR-1P', 'AIR-2P'],
  points: [current('A'), voltage('A'), totalPower, temperature('A'), temperature('N'), powerFactor, energy],
  states: [position, tripCause, localLock],
  settings: [...breakerSettings],
  actions: [...switchActions],
  alarms: [
    ...currentAlarms(['current.a']),
    ...temperatureAlarms(['temperature.a', 'temperature.n']),
    ...voltageAlarms(['voltage.a']),
    ...tripAlarmsWithoutLeakage,
  ],
})
