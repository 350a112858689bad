import { dangerAlarm, stateAlarm } from './detecting.ts'
import { temperatureAlarm } from './electrical.ts'
import type { LimitAlarm, Setting, StatePoint, Text } from './family.ts'

/** What the residual-current and temperature fire detectors share, wired or on 4G. */

const enabled = (key: string, label: Text): Setting => ({
  key,
  label,
  unit: '',
  min: 0,
  max: 1,
  step: 1,
  default: 1,
  source: 'off 0, on 1; on unless somebody switches it off',
  weak: 'low',
})

/** Set points (`tcqset`) and alarm switches (`alarmset`). */
export const fireSettings: readonly Setting[] = [
  {
    key: 'residual.alarm',
    label: { zh: '剩余电流报警值', en: 'Residual current alarm' },
    unit: 'mA',
    min: 300,
    max: 500,
    step: 1,
    default: 300,
    source: 'GB 14287.2: 300 to 500 mA',
    weak: 'high',
  },
  { ...temperatureAlarm, default: 70 },
  enabled('residual.enabled', { zh: '剩余电流报警开关', en: 'Residual current alarm switch' }),
  enabled('temperature.enabled', { zh: '温度报警开关', en: 'Temperature alarm switch' }),
]

/** The detector's own latched alarm, by what raised it first. */
export const fireState: StatePoint = {
  key: 'fire.alarm',
  label: { zh: '火灾报警', en: 'Fire alarm' },
  values: [
    { key: 'normal', label: { zh: '正常', en: 'Normal' } },
    { key: 'residual', label: { zh: '剩余电流报警', en: 'Residual current alarm' } },
    { key: 'temperature', label: { zh: '温度报警', en: 'Temperature alarm' } },
  ],
}

/** A switched-off alarm is quiet, and quiet looks like safe: it is said. */
export const disabledState: StatePoint = {
  key: 'disabled',
  label: { zh: '屏蔽', en: 'Disabled alarms' },
  values: [
    { key: 'none', label: { zh: '无', en: 'None' } },
    { key: 'some', label: { zh: '部分屏蔽', en: 'Some' } },
    { key: 'all', label: { zh: '全部屏蔽', en: 'All' } },
  ],
}

const residualNear: LimitAlarm = {
  on: 'limit',
  key: 'residual.warning',
  label: { zh: '剩余电流预警', en: 'Residual current warning' },
  kind: 'warning',
  priority: 'medium',
  points: ['residual'],
  side: 'over',
  // The share that warns on breakers, too.
  limit: { setting: 'residual.alarm', share: 0.5 },
  deadBandShare: 0.1,
  onDelayMs: 0,
  offDelayMs: 5_000,
  latching: false,
}

const temperaturePoints = ['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']

export const fireAlarms = [
  {
    ...dangerAlarm('fire', 'fire.residual', { zh: '剩余电流火灾报警', en: 'Fire alarm, residual current' }, 'fire.alarm', [
      'residual',
    ]),
    judges: { points: ['residual'], limit: { setting: 'residual.alarm', share: 1 } },
  },
  {
    ...dangerAlarm('fire', 'fire.temperature', { zh: '测温火灾报警', en: 'Fire alarm, temperature' }, 'fire.alarm', [
      'temperature',
    ]),
    judges: { points: temperaturePoints, limit: { setting: 'temperature.alarm', share: 1 } },
  },
  residualNear,
  stateAlarm('disabled', { zh: '探测器报警被屏蔽', en: 'Detector alarms disabled' }, 'warning', 'medium', 'disabled', [
    'some',
    'all',
  ]),
] as const
