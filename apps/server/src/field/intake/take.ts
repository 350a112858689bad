import type { Alarm, Point, Recording, StatePoint } from '@linewarden/equipment'
import { isPlausible, maxSamples, SLOTS } from '@linewarden/equipment'
import { asRecorded, asTested, evaluateLimit, evaluateState } from '@linewarden/rules/alarm'
import { lockoutCause } from '@linewarden/rules/control'
import { clockGood, liveTime, movedUnobserved, movesLive, positionSince, Quality } from '@linewarden/rules/monitor'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { Batch, EventDraft, ReportedStates } from '../../store/ingest/batch.ts'
import type { LineWatch } from '../watch/line-watch.ts'
import { recompile } from '../watch/line-watch.ts'

/** When and how a value was reported. */
export interface Moment {
  /** Device time, Unix ms. */
  readonly at: number
  readonly receivedAt: number
  readonly historical: boolean
}

/** Why a measured value is kept as missing though one was reported; null: the point can have it, or it is not known. */
export function whyMissing(point: Point, raw: number): 'not_finite' | 'implausible' | null {
  if (Number.isNaN(raw) || isPlausible(point, raw / (point.divisor ?? 1))) return null
  return Number.isFinite(raw) ? 'implausible' : 'not_finite'
}

/** Adds one measured value to the batch and answers its row. */
export function ingestValue(batch: Batch, watch: LineWatch, point: Point, raw: number, when: Moment): number {
  const row = batch.rowOf(watch, when.at, when.receivedAt, qualityOf(when))
  batch.set(row, point.slot, raw / (point.divisor ?? 1))
  return row
}

/** After a message's values are in a row: if it is the newest it moves the live value and is evaluated. */
export function evaluateRow(batch: Batch, watch: LineWatch, row: number): void {
  const at = batch.at[row] ?? 0
  if (!movesLive(watch.liveAt, at, ((batch.quality[row] ?? 0) & Quality.historical) !== 0)) return
  batch.live[row] = 1
  watch.liveAt = liveTime(at, batch.receivedAt[row] ?? at)
  const mask = batch.mask[row] ?? 0
  for (let i = 0; i < watch.limits.length; i++) {
    const limit = watch.limits[i]
    const evaluationState = watch.evaluationStates[i]
    if (!limit || !evaluationState || (mask & (1 << limit.slot)) === 0) continue
    const value = batch.values[row * SLOTS + limit.slot] ?? Number.NaN
    const transition = evaluateLimit(limit, evaluationState, value, at)
    if (transition === null) continue
    const { alarm, point, unit } = limit
    batch.events.push({
      ...about(watch.line),
      ...named(alarm),
      act: transition === 'raised' ? 'raise' : 'return',
      point,
      value,
      limit: limit.limit,
      unit,
      at,
      historical: false,
    })
  }
}

/** Applies one reported state: stored when it changed, evaluated when it is live, and always a report when it may prove an action. */
export function applyState(batch: Batch, watch: LineWatch, state: StatePoint, code: number, when: Moment): boolean {
  const value = state.values[code]?.key
  if (value === undefined) return false
  if (when.historical) {
    backfilledState(batch, watch, state, value, when)
    noteUnapplied(batch, watch, state)
    invalidateSince(batch, watch, state, value, when)
    return true
  }
  // Values may be newer than a state that is still the newest of its kind; only an older report of the same state comes too late.
  if (when.at < (watch.stateAt.get(state.key) ?? Number.NEGATIVE_INFINITY)) {
    noteUnapplied(batch, watch, state)
    invalidateSince(batch, watch, state, value, when)
    return true
  }
  const first = !watch.seen.has(state.key)
  watch.seen.add(state.key)
  watch.stateAt.set(state.key, liveTime(when.at, when.receivedAt))
  const before = watch.states.get(state.key)
  watch.states.set(state.key, value)
  const entry = reportedStates(batch, watch, when)
  entry.at = when.receivedAt
  if (before !== value) {
    entry.changed.set(state.key, value)
    if (state.key === 'position') setSince(entry, watch, positionSince(when, first))
  }
  const cause = lockoutCause({ state: state.key, before, value }, watch.states.get('trip.cause'))
  if (cause !== null) batch.lockouts.set(watch.line, { cause, at: when.at, no: null })
  if (watch.line.device.family.actions.some(({ confirmedBy }) => confirmedBy.state === state.key))
    batch.reports.push({
      line: watch.line,
      state: state.key,
      value,
      first,
      changed: before !== undefined && before !== value,
      deviceAt: when.at,
      receivedAt: when.receivedAt,
    })
  if (state.key === 'position' && (value === 'open' || value === 'closed')) {
    entry.positionAt = when.receivedAt
    if (before !== undefined && before !== value) batch.events.push(positionNote(watch.line, value, when))
  }
  for (const each of watch.stateAlarms)
    if (each.alarm.state === state.key)
      evaluate(batch, watch.line, each, asRecorded(each.alarm, value, watch.line.selfTest?.result ?? null), when.at)
  return true
}

function reportedStates(batch: Batch, { line }: LineWatch, { receivedAt }: Moment): ReportedStates {
  const entry = batch.states.get(line) ?? { at: receivedAt, changed: new Map(), positionAt: null }
  batch.states.set(line, entry)
  return entry
}

function setSince(entry: ReportedStates, watch: LineWatch, since: number | null): void {
  entry.positionSince = since
  watch.positionSince = since
}

function invalidateSince(batch: Batch, watch: LineWatch, { key }: StatePoint, value: string, when: Moment): void {
  if (key !== 'position') return
  if (movedUnobserved({ ...when, value }, { value: watch.states.get(key), since: watch.positionSince }))
    setSince(reportedStates(batch, watch, when), watch, null)
}

/** A position report was received and not applied (older or back-filled): the line may have opened unobserved. */
export function noteUnapplied(batch: Batch, { line }: LineWatch, { key }: StatePoint): void {
  if (key === 'position') batch.positionInvalidated.add(line)
}

/** Evaluates the recorded result of a self-test, beside what the equipment reported of it last. */
export function evaluateTest(batch: Batch, { line, states, stateAlarms }: LineWatch, at: number): void {
  for (const each of stateAlarms) {
    const value = asTested(each.alarm, states.get('selfTest'), line.selfTest?.result ?? null)
    if (value !== null) evaluate(batch, line, each, value, at)
  }
}

function evaluate(
  batch: Batch,
  line: PlantLine,
  { alarm, evaluationState }: LineWatch['stateAlarms'][number],
  value: string,
  at: number,
) {
  const transition = evaluateState(alarm, evaluationState, value, at)
  if (transition === null) return
  batch.events.push({
    ...about(line),
    ...named(alarm),
    act: transition === 'raised' ? 'raise' : 'return',
    point: null,
    value: null,
    limit: null,
    unit: '',
    at,
    historical: false,
    ...(alarm.judges && { judges: alarm.judges }),
  })
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Takes a recording: kept as it came, whenever it came. */
export function ingestRecording(batch: Batch, watch: LineWatch, { key }: Recording, text: string, when: Moment): boolean {
  // Four letters are three bytes.
  if (text.length > Math.ceil((maxSamples * 2) / 3) * 4 || !base64.test(text)) return false
  const samples = Buffer.from(text, 'base64')
  if (samples.length < 2 || samples.length % 2 !== 0) return false
  batch.recordings.push({ line: watch.line, key, at: when.at, receivedAt: when.receivedAt, samples })
  return true
}

/** Takes a reported setting; limits that depend on it are made anew. */
export function applySetting(batch: Batch, watch: LineWatch, key: string, value: number, when: Moment): boolean {
  if (!Number.isFinite(value) || !watch.line.device.family.settings.some((setting) => setting.key === key)) return false
  if (when.historical) return true
  const { line } = watch
  batch.readBacks.push({ gateway: line.device.gateway, line, key, value, deviceAt: when.at, receivedAt: when.receivedAt })
  if (watch.reported.get(key) === value) return true
  watch.reported.set(key, value)
  batch.settings.push({ line, key, value, at: when.receivedAt })
  recompile(watch)
  return true
}

const qualityOf = ({ at, receivedAt, historical }: Moment): number =>
  // What was kept during an outage is old, and its clock may be good all the same.
  ((historical && at <= receivedAt) || clockGood(at, receivedAt) ? 0 : Quality.clock) | (historical ? Quality.historical : 0)

const named = ({ key, label, kind, priority }: Alarm) => ({ key, label, kind, priority })

const about = (line: PlantLine): { line: PlantLine; gateway: PlantGateway } => ({ line, gateway: line.device.gateway })

/** What happened while the gateway was away is stored as history; it raises nothing now. */
function backfilledState(batch: Batch, watch: LineWatch, state: StatePoint, value: string, when: Moment): void {
  for (const { alarm } of watch.stateAlarms) {
    if (alarm.state !== state.key || !alarm.values.includes(value)) continue
    batch.events.push({
      ...about(watch.line),
      ...named(alarm),
      act: 'note',
      point: null,
      value: null,
      limit: null,
      unit: '',
      at: when.at,
      historical: true,
    })
  }
}

function positionNote(line: PlantLine, value: 'open' | 'closed', when: Moment): EventDraft {
  const label = value === 'open' ? { zh: '线路分闸', en: 'Line opened' } : { zh: '线路合闸', en: 'Line closed' }
  return {
    ...about(line),
    act: 'note',
    kind: 'journal',
    priority: 'low',
    key: `position.${value}`,
    label,
    point: null,
    value: null,
    limit: null,
    unit: '',
    at: when.at,
    historical: false,
  }
}
