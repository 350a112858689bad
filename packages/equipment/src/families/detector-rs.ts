import { detectorFault, detectorTest, faultAlarm, silence, sounder, testDetector, testFailed } from '../detecting.ts'
import { residual, temperature } from '../electrical.ts'
import { temperatureWarning } from '../electrical-alarms.ts'
import { family } from '../family.ts'
import { disabledState, fireAlarms, fireSettings, fireState } from '../fire-detecting.ts'

const fault = detectorFault('transformer', 'probe')

/** Electrical-fire detector: one residual-current transformer and four temperature probes, wired over RS-485 (GB 14287.2, GB 14287.3). */
export const detectorRs = family({
  key: 'detectorRs',
  label: { zh: 'RS-485电气火灾探测器', en: 'RS-485 electrical-fire detector' },
  level: 'device',
  icon: 'residual',
  calls: [
    'GET /detector/details/rs',
    'PUT /detector/control/rs',
    'PUT /detector/tcqset',
    'GET /detector/details',
    'PUT /detector/alarmset',
  ],
  models: ['TCQ-RS'],
  points: [residual, temperature('A'), temperature('B'), temperature('C'), temperature('N')],
  states: [fireState, sounder, fault, detectorTest, disabledState],
  settings: fireSettings,
  actions: [silence, testDetector],
  alarms: [
    ...fireAlarms,
    temperatureWarning(['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']),
    faultAlarm(fault),
    testFailed,
  ],
})
