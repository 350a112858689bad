import {
  breakerSettings,
  energy,
  lineCalls,
  localLock,
  position,
  powerFactor,
  switchActions,
  terminalTemperatures,
  threePhaseLoad,
  tripCause,
} from '../electrical.ts'
import { threePhaseAlarms, tripAlarmsWithoutLeakage } from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Remotely operated three-phase miniature breaker without residual-current sensing. */
export const airSwitch3p = family({
  key: 'airSwitch3p',
  label: { zh: '三相空气开关', en: 'Three-phase MCB' },
  level: 'line',
  icon: 'airSwitch',
  calls: ['GET /air/details', 'PUT /air/update', ...lineCalls],
  models: ['AIR-3P', 'AIR-4P'],
  points: [...threePhaseLoad, ...terminalTemperatures, powerFactor, energy],
  states: [position, tripCause, localLock],
  settings: [...breakerSettings],
  actions: [...switchActions],
  alarms: [...threePhaseAlarms, ...tripAlarmsWithoutLeakage],
})
