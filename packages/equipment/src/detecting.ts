import type { Action, LimitAlarm, Point, Priority, Quantity, StateAlarm, StatePoint, Text } from './family.ts'

/** Points, states and alarms shared by detectors. A slot is the family's own choice and fixed for ever: see `Point.slot`. */

/** A point named after what it measures. */
const measured =
  (quantity: Quantity, label: Text, unit: string, precision: number) =>
  (slot: number): Point => ({ key: quantity, label, quantity, unit, precision, slot })

export const battery = measured('battery', { zh: '电池电量', en: 'Battery' }, '%', 0)
/** Received signal power: RSSI of a local radio, RSRP on NB-IoT and 4G. */
export const signal = measured('signal', { zh: '信号强度', en: 'Signal' }, 'dBm', 0)
export const ownTemperature = measured('temperature', { zh: '温度', en: 'Temperature' }, '°C', 1)
export const smokeLevel = measured('smoke', { zh: '烟雾浓度', en: 'Smoke obscuration' }, '%/m', 1)
export const gasLevel = measured('gas', { zh: '燃气浓度', en: 'Gas concentration' }, '%LEL', 1)

const normal = { key: 'normal', label: { zh: '正常', en: 'Normal' } } as const
const none = { key: 'none', label: { zh: '无', en: 'None' } } as const

/** The detector's own latched alarm. It goes back to normal only when somebody resets the detector. */
export const smokeState: StatePoint = {
  key: 'smoke.alarm',
  label: { zh: '火警', en: 'Fire alarm' },
  values: [normal, { key: 'alarm', label: { zh: '报警', en: 'Alarm' } }],
}

export const gasState: StatePoint = {
  key: 'gas.alarm',
  label: { zh: '燃气报警', en: 'Gas alarm' },
  values: [
    normal,
    { key: 'low', label: { zh: '低限报警', en: 'Low-level alarm' } },
    { key: 'high', label: { zh: '高限报警', en: 'High-level alarm' } },
  ],
}

export const sounder: StatePoint = {
  key: 'sounder',
  label: { zh: '蜂鸣器', en: 'Sounder' },
  values: [
    { key: 'quiet', label: { zh: '静音', en: 'Quiet' } },
    { key: 'sounding', label: { zh: '鸣响', en: 'Sounding' } },
  ],
}

export const tamper: StatePoint = {
  key: 'tamper',
  label: { zh: '防拆', en: 'Tamper contact' },
  values: [normal, { key: 'removed', label: { zh: '被拆下', en: 'Removed' } }],
}

/** The detector says `running` before each test: only a result that comes after it is this test's own. */
export const detectorTest: StatePoint = {
  key: 'selfTest',
  label: { zh: '自检', en: 'Self-test' },
  values: [
    { key: 'notDone', label: { zh: '未做', en: 'Not done' } },
    { key: 'passed', label: { zh: '合格', en: 'Passed' } },
    { key: 'failed', label: { zh: '不合格', en: 'Failed' } },
    { key: 'running', label: { zh: '正在自检', en: 'Running' } },
  ],
}

const faultWords = {
  chamber: { zh: '迷宫污染', en: 'Chamber dirty' },
  sensor: { zh: '传感器故障', en: 'Sensor fault' },
  expired: { zh: '传感器到期', en: 'Sensor end of life' },
  transformer: { zh: '互感器断线', en: 'CT open circuit' },
  probe: { zh: '温度探头断线', en: 'Temperature probe open circuit' },
  supply: { zh: '主电故障', en: 'Mains supply lost' },
} as const satisfies Record<string, Text>

/** What the detector finds wrong with itself; codes in the order given, 0 is none. */
export const detectorFault = (...faults: (keyof typeof faultWords)[]): StatePoint => ({
  key: 'detector.fault',
  label: { zh: '探测器故障', en: 'Detector fault' },
  values: [none, ...faults.map((key) => ({ key, label: faultWords[key] }))],
})

export const silence: Action = {
  key: 'silence',
  label: { zh: '消音', en: 'Silence' },
  confirmedBy: { state: 'sounder', value: 'quiet' },
}

export const testDetector: Action = {
  key: 'selfTest',
  label: { zh: '自检', en: 'Self-test' },
  confirmedBy: { state: 'selfTest', value: 'passed' },
  byChange: true,
}

/** A danger to life: critical, and latched until somebody resets the device itself. */
export const dangerAlarm = (
  danger: 'fire' | 'gas',
  key: string,
  label: Text,
  state: string,
  values: readonly string[],
): StateAlarm => ({
  on: 'state',
  key,
  label,
  kind: 'alarm',
  priority: 'critical',
  state,
  values,
  onDelayMs: 0,
  offDelayMs: 0,
  latching: true,
  danger,
})

/** A reported state that passes with its cause. */
export const stateAlarm = (
  key: string,
  label: Text,
  kind: StateAlarm['kind'],
  priority: Priority,
  state: string,
  values: readonly string[],
): StateAlarm => ({
  on: 'state',
  key,
  label,
  kind,
  priority,
  state,
  values,
  onDelayMs: 0,
  offDelayMs: 0,
  latching: false,
})

export const smokeAlarm: StateAlarm = {
  ...dangerAlarm('fire', 'smoke.alarm', { zh: '烟雾火警', en: 'Smoke alarm' }, 'smoke.alarm', ['alarm']),
  judges: { points: ['smoke'] },
}

/** GB 15322.1/.2 (2019); not settable. */
export const gasHighLel = 50

/** Low and high limit: GB 15322. */
export const gasAlarms: readonly StateAlarm[] = [
  {
    ...dangerAlarm('gas', 'gas.low', { zh: '燃气低限报警', en: 'Gas, low-level alarm' }, 'gas.alarm', ['low']),
    judges: { points: ['gas'], limit: { setting: 'gas.low', share: 1 } },
  },
  {
    ...dangerAlarm('gas', 'gas.high', { zh: '燃气高限报警', en: 'Gas, high-level alarm' }, 'gas.alarm', ['high']),
    judges: { points: ['gas'], limit: { value: gasHighLel } },
  },
]

export const faultAlarm = ({ values }: StatePoint): StateAlarm =>
  stateAlarm(
    'detector.fault',
    { zh: '探测器故障', en: 'Detector fault' },
    'fault',
    'high',
    'detector.fault',
    values.map(({ key }) => key).filter((key) => key !== 'none'),
  )

export const tamperAlarm = stateAlarm('tamper', { zh: '探测器被拆下', en: 'Detector removed' }, 'fault', 'high', 'tamper', [
  'removed',
])

export const testFailed: StateAlarm = {
  ...stateAlarm('selfTest.failed', { zh: '自检不合格', en: 'Self-test failed' }, 'fault', 'high', 'selfTest', ['failed']),
  undecided: ['running'],
}

/** 15 % (ours): time to order a cell and to come by before the detector falls silent. */
export const batteryLow: LimitAlarm = {
  on: 'limit',
  key: 'battery.low',
  label: { zh: '电池电量低', en: 'Battery low' },
  kind: 'warning',
  priority: 'medium',
  points: ['battery'],
  side: 'under',
  limit: { value: 15 },
  deadBandShare: 0.2,
  onDelayMs: 0,
  offDelayMs: 0,
  latching: false,
}

/** Below -115 dBm (ours, near the edge of NB-IoT and LTE coverage) an alarm may not get through. */
export const signalWeak: LimitAlarm = {
  on: 'limit',
  key: 'signal.weak',
  label: { zh: '信号弱', en: 'Signal weak' },
  kind: 'warning',
  priority: 'low',
  points: ['signal'],
  side: 'under',
  limit: { value: -115 },
  deadBandShare: 0.03,
  onDelayMs: 60_000,
  offDelayMs: 60_000,
  latching: false,
}
