import {
  battery,
  batteryLow,
  detectorFault,
  faultAlarm,
  ownTemperature,
  signal,
  silence,
  smokeAlarm,
  smokeLevel,
  smokeState,
  sounder,
} from '../detecting.ts'
import { family } from '../family.ts'

const fault = detectorFault('chamber', 'sensor')

/** Networked smoke detector. Its alarm latches: only the detector's own reset clears it. */
export const smoke = family({
  key: 'smoke',
  label: { zh: '烟感探测器', en: 'Smoke detector' },
  level: 'device',
  icon: 'smoke',
  calls: ['GET /smoke/details', 'PUT /smoke/silencing'],
  models: ['SM-1', 'JTY-GD'],
  points: [smokeLevel(0), ownTemperature(1), battery(2), signal(3)],
  states: [smokeState, sounder, fault],
  settings: [],
  actions: [silence],
  alarms: [smokeAlarm, faultAlarm(fault), batteryLow],
})
