import { dayMs } from '@linewarden/equipment'
import type { ConditionStretch, LinkageCondition, Span } from '@linewarden/rules/automation'
import { ConditionCourse, maxSilenceMs, meets } from '@linewarden/rules/automation'
import type pg from 'pg'
import type { PlantLine } from '../../plant/plant.ts'
import type { PastStep } from '../../store/automation/linkage-past.ts'
import { alarmSteps, changedReadings, linkSteps, readingsAt } from '../../store/automation/linkage-past.ts'
import { positionsOf } from '../../store/warning/day-source.ts'

/** A condition of a linkage that is tried out. */
export interface TriedCondition {
  readonly line: PlantLine
  readonly kind: LinkageCondition['kind']
  /** As people gave it, without its kind. */
  readonly key: string
  /** Of a point; null: it is none. */
  readonly slot: number | null
  readonly rule: LinkageCondition
}

/** What is stored of a condition. `at`: its values at instants. Null: nothing is stored by which it could be known. */
export interface PastCondition {
  readonly stretches: readonly ConditionStretch[]
  at(instants: readonly number[]): Promise<readonly (number | null)[]>
}

interface Past extends Span {
  readonly client: pg.ClientBase
  /** Asked between questions: lets others have a turn, and ends what nobody waits for. */
  readonly rest: () => Promise<void>
}

/** A course with more changes than these is no limit that anybody wants. */
export const maxStretches = 200_000

/** The past of a condition; a value that holds until the next one is unknown while its device is away. */
export async function pastOf(condition: TriedCondition, past: Past): Promise<PastCondition | null> {
  const { slot } = condition
  if (slot !== null) return pointPast(condition, slot, past)
  const steps = await valueSteps(condition, past)
  if (!steps) return null
  const away = condition.kind === 'link' ? [] : awaySteps(await linkSteps(past.client, placeOf(condition.line), past), past)
  const stretches = stretchesOf(steps, away, past)
  return {
    stretches,
    at: async (instants) => instants.map((at) => stretches.findLast((each) => each.from <= at)?.value ?? null),
  }
}

async function pointPast({ line, rule }: TriedCondition, slot: number, { client, from, to, rest }: Past): Promise<PastCondition> {
  const watched = {
    lineId: line.id,
    slot,
    silenceMs: maxSilenceMs(rule),
    op: rule.op,
    value: rule.value,
    release: rule.release,
  }
  const course = new ConditionCourse(rule)
  for (let begins = from; begins < to && course.stretches.length <= maxStretches; ) {
    const ends = Math.min(to, (Math.floor(begins / dayMs) + 1) * dayMs)
    for (const { at, before, value } of await changedReadings(client, watched, { from: begins, to: ends }))
      course.add(at, value, before)
    begins = ends
    await rest()
  }
  return { stretches: course.stretches, at: (instants) => readingsAt(client, watched, instants) }
}

/** A value from an instant on; the first is from the beginning on. */
interface ValueStep {
  readonly at: number
  readonly value: number | null
}

async function valueSteps({ line, kind, key, rule }: TriedCondition, past: Past): Promise<readonly ValueStep[] | null> {
  const { client, from } = past
  if (kind === 'link') return openSteps(await linkSteps(client, placeOf(line), past), past).map(inverted)
  if (kind === 'alarm') {
    const [alarm = '', point = null] = key.split('@')
    return openSteps(await alarmSteps(client, { lineId: line.id, key: alarm, point }, past), past)
  }
  if (kind === 'state' && key === 'position') {
    const course = (await positionsOf(client, [line.id], { begins: from, ends: past.to })).get(line.id)
    const code = (closed: boolean | null | undefined) => (closed == null ? null : Number(closed))
    const moves = course?.moves ?? []
    return [{ at: from, value: code(course?.first) }, ...moves.map(({ at, closed }) => ({ at, value: code(closed) }))]
  }
  const alarm = kind === 'state' ? alarmOfState(line, key, rule) : null
  if (!alarm) return null
  const steps = openSteps(await alarmSteps(client, { lineId: line.id, key: alarm.key, point: null }, past), past)
  return steps.map(({ at, value }) => ({ at, value: value === 1 ? alarm.open : alarm.normal }))
}

const inverted = ({ at, value }: ValueStep): ValueStep => ({ at, value: value === 1 ? 0 : 1 })

/** Other states are stored as the alarm that they raise: one that is open for just the values that meet the condition. */
function alarmOfState({ device }: PlantLine, key: string, rule: LinkageCondition) {
  const values = device.family.states.find((state) => state.key === key)?.values ?? []
  const isMet = values.map((_, code) => meets(rule, false, code))
  const alarm = device.family.alarms.find(
    (each) =>
      each.on === 'state' && each.state === key && values.every((value, code) => isMet[code] === each.values.includes(value.key)),
  )
  const [open, normal] = [isMet.indexOf(true), isMet.indexOf(false)]
  return alarm && open >= 0 && normal >= 0 ? { key: alarm.key, open, normal } : null
}

/** 1 while something of it is open, else 0. */
function openSteps(steps: readonly PastStep[], { from }: Span): readonly ValueStep[] {
  const open = new Set<string>()
  const made: ValueStep[] = [{ at: from, value: 0 }]
  for (const { eventId, at, isOpen } of steps) {
    if (isOpen) open.add(eventId)
    else open.delete(eventId)
    const value = open.size > 0 ? 1 : 0
    if (at <= from) made[0] = { at: from, value }
    else if (made.at(-1)?.value !== value) made.push({ at, value })
  }
  return made
}

const awaySteps = (steps: readonly PastStep[], past: Span) =>
  openSteps(steps, past).map(({ at, value }) => ({ at, isAway: value === 1 }))

function stretchesOf(
  values: readonly ValueStep[],
  away: readonly { readonly at: number; readonly isAway: boolean }[],
  { to }: Span,
): readonly ConditionStretch[] {
  const instants = [...new Set([...values, ...away].map(({ at }) => at))]
    .filter((at) => at < to)
    .sort((one, other) => one - other)
  let value: number | null = null
  let isAway = false
  let [nextValue, nextAway] = [0, 0]
  return instants.map((from, index) => {
    for (let step = values[nextValue]; step && step.at <= from; step = values[++nextValue]) value = step.value
    for (let step = away[nextAway]; step && step.at <= from; step = away[++nextAway]) isAway = step.isAway
    return { from, to: (instants[index + 1] ?? to) - 1, value: isAway ? null : value }
  })
}

const placeOf = ({ device }: PlantLine) => ({ gatewayId: device.gateway.id, deviceId: device.id })
