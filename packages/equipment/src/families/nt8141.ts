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

/** Battery smoke detector with its own sounder, on NB-IoT. */
export const nt8141 = family({
  key: 'nt8141',
  label: { zh: 'NB独立式烟感 NT8141', en: 'NB-IoT smoke detector NT8141' },
  level: 'device',
  icon: 'smoke',
  calls: ['GET /nt8141/details/nb', 'PUT /nt8141/silencing'],
  models: ['NT8141'],
  points: [smokeLevel(0), ownTemperature(1), battery(2), signal(3)],
  states: [smokeState, sounder, fault, tamper],
  settings: [],
  actions: [silence],
  alarms: [smokeAlarm, faultAlarm(fault), tamperAlarm, batteryLow, signalWeak],
})
