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
  tamper,
  tamperAlarm,
} from '../detecting.ts'
import { family } from '../family.ts'

const fault = detectorFault('chamber', 'sensor')

/** Battery smoke detector with its own sounder, on 4G. */
export const nt8117 = family({
  key: 'nt8117',
  label: { zh: '4G独立式烟感 NT8117', en: '4G smoke detector NT8117' },
  level: 'device',
  icon: 'smoke',
  calls: ['GET /nt8117/details/lte', 'PUT /nt8117/silencing/lte'],
  models: ['NT8117'],
  points: [smokeLevel(0), ownTemperature(1), battery(2), signal(3)],
  states: [smokeState, sounder, fault, tamper],
  settings: [],
  actions: [silence],
  alarms: [smokeAlarm, faultAlarm(fault), tamperAlarm, batteryLow, signalWeak],
})
