import {
  detectorFault,
  faultAlarm,
  gasAlarms,
  gasLevel,
  gasState,
  ownTemperature,
  signal,
  silence,
  sounder,
} from './detecting.ts'
import type { LimitAlarm, Setting, StatePoint } from './family.ts'

/** The low limit people may set: GB 15322.1/.2 (2019). 10 %LEL is our default. */
const gasSettings: readonly Setting[] = [
  {
    key: 'gas.low',
    label: { zh: '低限报警设定值', en: 'Low-level alarm' },
    unit: '%LEL',
    min: 5,
    max: 25,
    step: 1,
    default: 10,
    source: 'GB 15322: low limit 5 to 25 %LEL',
    weak: 'high',
  },
]
/** The shut-off valve the detector closes by itself at the high limit; opened again by hand, on site. */
const valve: StatePoint = {
  key: 'valve',
  label: { zh: '切断阀', en: 'Shut-off valve' },
  values: [
    { key: 'open', label: { zh: '开启', en: 'Open' } },
    { key: 'shut', label: { zh: '关闭', en: 'Shut' } },
  ],
}

/** Gas is there, and it is not yet an alarm: half of the low limit (ours) for ten seconds. */
const gasRising: LimitAlarm = {
  on: 'limit',
  key: 'gas.rising',
  label: { zh: '燃气浓度升高', en: 'Gas concentration rising' },
  kind: 'warning',
  priority: 'high',
  points: ['gas'],
  side: 'over',
  limit: { setting: 'gas.low', share: 0.5 },
  deadBandShare: 0.2,
  onDelayMs: 10_000,
  offDelayMs: 10_000,
  latching: false,
}

const fault = detectorFault('sensor', 'expired', 'supply')

/** What combustible-gas detectors on the mains share. */
export const gasDetector = {
  level: 'device',
  icon: 'gas',
  points: [gasLevel(0), ownTemperature(1), signal(3)],
  states: [gasState, sounder, fault, valve],
  settings: gasSettings,
  actions: [silence],
  alarms: [...gasAlarms, gasRising, faultAlarm(fault)],
} as const
