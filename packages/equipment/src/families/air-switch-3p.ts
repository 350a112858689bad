import {
  breakerSettings,
  current,
  energy,
  lineCalls,
  localLock,
  position,
  power,
  powerFactor,
  switchActions,
  temperature,
  totalPower,
  tripCause,
  voltage,
} from '../electrical.ts'
import { currentAlarms, temperatureAlarms, tripAlarmsWithoutLeakage, voltageAlarms } from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Remotely operated three-phase miniature breaker without residual-current sensing. */
export const airSwitch3p = family({
  key: 'airSwitch3p',
  label: { zh: '三相空气开关', en: 'Three-phase air switch' },
  level: 'line',
  icon: 'airSwitch',
  calls: ['GET /air/details', 'PUT /air/update', ...lineCalls],
  models: ['AIR-3P', 'AIR-4P'],
  points: [
    current('A'),
    current('B'),
    current('C'),
    voltage('A'),
    voltage('B'),
    voltage('C'),
    power('A'),
    power('B'),
    power('C'),
    totalPower,
    temperature('A'),
    temperature('B'),
    temperature('C'),
    temperature('N'),
    powerFactor,
    energy,
  ],
  states: [position, tripCause, localLock],
  settings: [...breakerSettings],
  actions: [...switchActions],
  alarms: [
    ...currentAlarms(['current.a', 'current.b', 'current.c']),
    ...temperatureAlarms(['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']),
    ...voltageAlarms(['voltage.a', 'voltage.b', 'voltage.c']),
    ...tripAlarmsWithoutLeakage,
  ],
})
