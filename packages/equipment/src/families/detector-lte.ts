import {
  detectorFault,
  detectorTest,
  faultAlarm,
  signal,
  signalWeak,
  silence,
  sounder,
  testDetector,
  testFailed,
} from '../detecting.ts'
import { residual, temperature } from '../electrical.ts'
import { temperatureWarning } from '../electrical-alarms.ts'
import { family } from '../family.ts'
import { disabledState, fireAlarms, fireSettings, fireState } from '../fire-detecting.ts'

const fault = detectorFault('transformer', 'probe', 'supply')

/** The electrical-fire detector on 4G: residual current and four temperatures (GB 14287.2, GB 14287.3). */
export const detectorLte = family({
  key: 'detectorLte',
  label: { zh: '4G电气火灾探测器', en: '4G electrical-fire detector' },
  level: 'device',
  icon: 'residual',
  calls: [
    'GET /detector/details/lte',
    'PUT /detector/control/lte',
    'PUT /detector/tcqset',
    'GET /detector/details',
    'PUT /detector/alarmset',
  ],
  models: ['TCQ-LTE'],
  points: [signal(0), residual, temperature('A'), temperature('B'), temperature('C'), temperature('N')],
  states: [fireState, sounder, fault, detectorTest, disabledState],
  settings: fireSettings,
  actions: [silence, testDetector],
  alarms: [
    ...fireAlarms,
    temperatureWarning(['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']),
    faultAlarm(fault),
    testFailed,
    signalWeak,
  ],
})
