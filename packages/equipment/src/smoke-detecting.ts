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
} from './detecting.ts'

/** What smoke detectors share, on a local radio, on NB-IoT or on 4G. */

const fault = detectorFault('chamber', 'sensor')

export const smokeDetector = {
  level: 'device',
  icon: 'smoke',
  points: [smokeLevel(0), ownTemperature(1), battery(2), signal(3)],
  states: [smokeState, sounder, fault],
  settings: [],
  actions: [silence],
  alarms: [smokeAlarm, faultAlarm(fault), batteryLow],
} as const

/** By itself on a public network, where nobody else notices that it is not heard any more. */
export const networkSmokeDetector = {
  ...smokeDetector,
  alarms: [...smokeDetector.alarms, signalWeak],
} as const

/** With a contact that notices when it is taken off its base. */
export const standaloneSmokeDetector = {
  ...smokeDetector,
  states: [...smokeDetector.states, tamper],
  alarms: [smokeAlarm, faultAlarm(fault), tamperAlarm, batteryLow, signalWeak],
} as const
