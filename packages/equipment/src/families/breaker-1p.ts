import {
  breakerSettings,
  current,
  energy,
  leakageCalls,
  leakageSelfTest,
  leakageTrip,
  lineCalls,
  localLock,
  position,
  powerFactor,
  residual,
  selfTest,
  switchActions,
  temperature,
  totalPower,
  tripCause,
  voltage,
} from '../electrical.ts'
import {
  currentAlarms,
  residualAlarms,
  selfTestFailed,
  temperatureAlarms,
  tripAlarms,
  voltageAlarms,
} from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Remotely operated single-phase breaker with residual-current protection. */
export const breaker1p = family({
  key: 'breaker1p',
  label: { zh: '单相漏电保护断路器', en: 'Single-phase RCBO' },
  level: 'line',
  icon: 'breaker',
  calls: [...lineCalls, ...leakageCalls],
  models: ['1P', '1PN', '2P', '1PN_Z', '2P_H', 'a1NWrOwdXKN', '1P_H', '1PN_H', '1P_Z', '2P_Z'],
  points: [current('A'), voltage('A'), totalPower, residual, temperature('A'), temperature('N'), powerFactor, energy],
  states: [position, tripCause, localLock, selfTest],
  settings: [...breakerSettings, leakageTrip],
  actions: [...switchActions, leakageSelfTest],
  alarms: [
    ...residualAlarms,
    ...currentAlarms(['current.a']),
    ...temperatureAlarms(['temperature.a', 'temperature.n']),
    ...voltageAlarms(['voltage.a']),
    ...tripAlarms,
    selfTestFailed,
  ],
})
