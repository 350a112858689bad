import {
  battery,
  batteryLow,
  detectorFault,
  faultAlarm,
  ownTemperature,
  signal,
  signalWeak,
  silence,
  smokeAlarm,
  smokeLevel,
  smokeState,
  sounder,
} from '../detecting.ts'
import { family } from '../family.ts'

const fault = detectorFault('chamber', 'sensor')

/**
 * A smoke detector people reach by its own opaque access token, without an account. The token opens this one device's details and its
 * silencing, nothing else.
 */
export const tokenDetector = family({
  key: 'tokenDetector',
  label: { zh: '凭码访问探测器', en: 'Detector by access token' },
  level: 'device',
  icon: 'smoke',
  calls: ['GET {token}', 'PUT {token}'],
  models: ['TK-1'],
  points: [smokeLevel(0), ownTemperature(1), battery(2), signal(3)],
  states: [smokeState, sounder, fault],
  settings: [],
  actions: [silence],
  alarms: [smokeAlarm, faultAlarm(fault), batteryLow, signalWeak],
})
