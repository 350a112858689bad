import {
  breakerSettings,
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
  terminalTemperatures,
  threePhaseLoad,
  tripCause,
} from '../electrical.ts'
import { residualAlarms, selfTestFailed, threePhaseAlarms, tripAlarms } from '../electrical-alarms.ts'
import { family } from '../family.ts'

/** Remotely operated three-phase breaker with residual-current protection. */
export const breaker3p = family({
  key: 'breaker3p',
  label: { zh: '三相漏电保护断路器', en: 'Three-phase RCBO' },
  level: 'line',
  icon: 'breaker',
  calls: [...lineCalls, ...leakageCalls, 'PUT /lines/threeline/update'],
  models: ['3P', '3PN', '3P_H', '3PN_S', '4P', '3PN_H', '4P_H'],
  points: [...threePhaseLoad, residual, ...terminalTemperatures, powerFactor, energy],
  states: [position, tripCause, localLock, selfTest],
  settings: [...breakerSettings, leakageTrip],
  actions: [...switchActions, leakageSelfTest],
  alarms: [...residualAlarms, ...threePhaseAlarms, ...tripAlarms, selfTestFailed],
})
