import type { Family } from '@linewarden/equipment'
import { isDanger } from '../alarm/shelving.ts'
import type { ConditionKind } from './linkage.ts'

/** The key of the alarm that a linkage raises on a line; its point is the number of the linkage. */
export const raisedKey = 'linkage.raised'

/** The key by which a condition reads what a linkage has raised. */
export const raisedBy = (linkageId: number): string => `${raisedKey}@${linkageId}`

/** What a condition reads of a line. */
export interface LinkageSource {
  /** Of a point; null: it is no measured value. */
  readonly slot: number | null
  /** Decimals of its value. */
  readonly precision: number
  /** The values that it can have; null: any number. */
  readonly values: readonly number[] | null
  /** It tells of fire, gas, arc or leakage: trips for it have no limits. */
  readonly isDanger: boolean
  /** Only a person may close after it: after a danger, and after what a linkage raises, which may tell of one. */
  readonly barsCloses: boolean
}

/** Quantities that tell of fire, gas, arc or leakage. */
const dangerous: ReadonlySet<string> = new Set(['smoke', 'gas', 'arc', 'residual'])
/** Alarms that tell of them and do not latch. */
const dangerousAlarm = /^(smoke|gas|fire|arc|residual|leakage|trip\.(leakage|arc|short)|limit\.short)/
/** What a detector does when it has found one: it calls, and shuts off the gas. */
const dangerousState: ReadonlySet<string> = new Set(['sounder', 'valve'])

/** What a condition reads; null: equipment of this family has no such thing. `others`: keys of alarms that the platform itself raises. */
export function linkageSource(
  family: Family,
  kind: ConditionKind,
  key: string,
  others: ReadonlySet<string> = new Set(),
): LinkageSource | null {
  const source = sourceOf(family, kind, key, others)
  return source && { ...source, barsCloses: source.isDanger || (kind === 'alarm' && key.startsWith(`${raisedKey}@`)) }
}

type Source = Omit<LinkageSource, 'barsCloses'>

function sourceOf(family: Family, kind: ConditionKind, key: string, others: ReadonlySet<string>): Source | null {
  if (kind === 'link') return key === 'link' ? { slot: null, precision: 0, values: [0, 1], isDanger: false } : null
  if (kind === 'state') return stateSource(family, key)
  if (kind === 'alarm') return alarmSource(family, key, others)
  const point = family.points.find((each) => each.key === key)
  if (!point) return null
  const isDangerous = dangerous.has(point.quantity) || dangerousAlarm.test(key) || isJudged(family, key)
  return { slot: point.slot, precision: point.precision, values: null, isDanger: isDangerous }
}

function stateSource({ states, alarms }: Family, key: string): Source | null {
  const state = states.find((each) => each.key === key)
  if (!state) return null
  const readsDanger = alarms.some(
    (alarm) => alarm.on === 'state' && alarm.state === key && (alarm.latching || alarm.danger || dangerousAlarm.test(alarm.key)),
  )
  const isDangerous = readsDanger || dangerousState.has(key)
  return { slot: null, precision: 0, values: state.values.map((_, index) => index), isDanger: isDangerous }
}

/** The equipment itself finds a danger by this value, as an electrical-fire detector does by temperatures. */
const isJudged = ({ alarms }: Family, point: string): boolean =>
  alarms.some((each) => each.on === 'state' && each.danger !== undefined && each.judges?.points.includes(point))

function alarmSource(family: Family, whole: string, others: ReadonlySet<string>): Source | null {
  const [key = '', point] = whole.split('@')
  const found = { slot: null, precision: 0, values: [0, 1] }
  if (key === raisedKey) return /^\d{1,9}$/.test(point ?? '') ? { ...found, isDanger: false } : null
  const alarm = family.alarms.find((each) => each.key === key)
  if (!alarm) return others.has(key) ? { ...found, isDanger: dangerousAlarm.test(key) } : null
  if (point !== undefined && !(alarm.on === 'limit' && alarm.points.includes(point))) return null
  const nearsDanger = alarm.on === 'limit' && alarm.points.some((each) => isJudged(family, each))
  const isDangerous = alarm.latching || alarm.danger !== undefined || isDanger(key) || dangerousAlarm.test(key) || nearsDanger
  return { ...found, isDanger: isDangerous }
}
