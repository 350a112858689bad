import type { LimitAlarm, StateAlarm, Text } from './family.ts'

/** Alarms shared by every breaker family. */

/** A measured value beyond a share of one of the line's settings. */
const ofSetting = (own: Omit<LimitAlarm, 'on' | 'side' | 'latching'> & { readonly side?: LimitAlarm['side'] }): LimitAlarm => ({
  on: 'limit',
  side: 'over',
  latching: false,
  ...own,
})

const residualLevel = (
  key: string,
  label: Text,
  share: number,
  kind: LimitAlarm['kind'],
  priority: LimitAlarm['priority'],
): LimitAlarm =>
  ofSetting({
    key,
    label,
    kind,
    priority,
    points: ['residual'],
    limit: { setting: 'leakage.trip', share },
    deadBandShare: 0.1,
    onDelayMs: 0,
    offDelayMs: 5_000,
  })

/** Shares of the trip level: IEC 60364-5-53 keeps standing leakage at or below 0.3 of it. */
export const residualAlarms = [
  residualLevel('residual.notice', { zh: '漏电注意', en: 'Residual current notice' }, 0.3, 'warning', 'low'),
  residualLevel('residual.warning', { zh: '漏电预警', en: 'Residual current warning' }, 0.5, 'warning', 'medium'),
  residualLevel('residual.alarm', { zh: '漏电报警', en: 'Residual current alarm' }, 0.8, 'alarm', 'high'),
] as const

export const currentAlarms = (points: readonly string[]): readonly LimitAlarm[] => [
  ofSetting({
    key: 'current.warning',
    label: { zh: '过流预警', en: 'Overcurrent warning' },
    kind: 'warning',
    priority: 'medium',
    points,
    limit: { setting: 'overload.warning', share: 1 },
    deadBandShare: 0.05,
    onDelayMs: 10_000,
    offDelayMs: 10_000,
  }),
  ofSetting({
    key: 'current.alarm',
    label: { zh: '过流报警', en: 'Overcurrent alarm' },
    kind: 'alarm',
    priority: 'high',
    points,
    limit: { setting: 'overload.alarm', share: 1 },
    deadBandShare: 0.05,
    onDelayMs: 3_000,
    offDelayMs: 10_000,
  }),
]

export const temperatureWarning = (points: readonly string[]): LimitAlarm =>
  ofSetting({
    key: 'temperature.warning',
    label: { zh: '温度预警', en: 'Temperature warning' },
    kind: 'warning',
    priority: 'medium',
    points,
    limit: { setting: 'temperature.alarm', share: 0.85 },
    deadBandShare: 0.05,
    onDelayMs: 5_000,
    offDelayMs: 30_000,
  })

export const temperatureAlarms = (points: readonly string[]): readonly LimitAlarm[] => [
  temperatureWarning(points),
  ofSetting({
    key: 'temperature.alarm',
    label: { zh: '温度报警', en: 'Temperature alarm' },
    kind: 'alarm',
    priority: 'high',
    points,
    limit: { setting: 'temperature.alarm', share: 1 },
    deadBandShare: 0.05,
    onDelayMs: 0,
    offDelayMs: 30_000,
  }),
]

export const voltageAlarms = (points: readonly string[]): readonly LimitAlarm[] => [
  ofSetting({
    key: 'voltage.over',
    label: { zh: '过压报警', en: 'Overvoltage' },
    kind: 'alarm',
    priority: 'high',
    points,
    limit: { setting: 'overvoltage', share: 1 },
    deadBandShare: 0.02,
    onDelayMs: 1_000,
    offDelayMs: 5_000,
  }),
  ofSetting({
    key: 'voltage.under',
    label: { zh: '欠压报警', en: 'Undervoltage' },
    kind: 'alarm',
    priority: 'medium',
    points,
    side: 'under',
    limit: { setting: 'undervoltage', share: 1 },
    deadBandShare: 0.02,
    onDelayMs: 1_000,
    offDelayMs: 5_000,
    noSupplyShare: 0.2,
  }),
]

/** Of a three-phase switch, but for its protective trips. */
export const threePhaseAlarms: readonly LimitAlarm[] = [
  ...currentAlarms(['current.a', 'current.b', 'current.c']),
  ...temperatureAlarms(['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']),
  ...voltageAlarms(['voltage.a', 'voltage.b', 'voltage.c']),
]

const tripAlarm = (cause: string, label: Text): StateAlarm => ({
  on: 'state',
  key: `trip.${cause}`,
  label,
  kind: 'alarm',
  priority: 'critical',
  state: 'trip.cause',
  values: [cause],
  onDelayMs: 0,
  offDelayMs: 0,
  latching: false,
})

/** Protection has operated: the line is off and somebody has to find out why. */
const leakageTripAlarm = tripAlarm('leakage', { zh: '漏电跳闸', en: 'Tripped on residual current' })

export const tripAlarmsWithoutLeakage = [
  tripAlarm('short', { zh: '短路跳闸', en: 'Tripped on short circuit' }),
  tripAlarm('overload', { zh: '过载跳闸', en: 'Tripped on overload' }),
  tripAlarm('overvoltage', { zh: '过压跳闸', en: 'Tripped on overvoltage' }),
  tripAlarm('undervoltage', { zh: '欠压跳闸', en: 'Tripped on undervoltage' }),
  tripAlarm('overtemperature', { zh: '过温跳闸', en: 'Tripped on overtemperature' }),
  tripAlarm('arc', { zh: '电弧跳闸', en: 'Tripped on arc fault' }),
] as const
export const tripAlarms = [leakageTripAlarm, ...tripAlarmsWithoutLeakage] as const

export const selfTestFailed: StateAlarm = {
  on: 'state',
  key: 'selfTest.failed',
  label: { zh: '漏电自检不合格', en: 'RCD test failed' },
  kind: 'fault',
  priority: 'high',
  state: 'selfTest',
  values: ['failed'],
  undecided: ['running'],
  onDelayMs: 0,
  offDelayMs: 0,
  latching: false,
}
