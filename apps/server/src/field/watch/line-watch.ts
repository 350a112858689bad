import type { StateAlarm } from '@linewarden/equipment'
import type { CompiledLimit, EvaluationState } from '@linewarden/rules/alarm'
import { compileLimits, newEvaluationState, tunedLimits } from '@linewarden/rules/alarm'
import { liveTime } from '@linewarden/rules/monitor'
import type { PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import type { Batch, RowCursor } from '../../store/ingest/batch.ts'

/**
 * What ingest knows of a line beyond what is committed: where each alarm stands, the newest live time and the newest states among messages
 * that are still on their way into the database. The plant that others see moves only after the commit.
 */
export interface LineWatch extends RowCursor {
  liveAt: number | null
  readonly states: Map<string, string>
  /** Since when the position is what it is; null: not known. */
  positionSince: number | null
  /** Settings the equipment reported last, by key. */
  readonly reported: Map<string, number>
  /** Device time of the newest report of each state in this session. */
  readonly stateAt: Map<string, number>
  /** States that were reported since it was last invalidated. */
  readonly seen: Set<string>
  /** The same for all lines of a kind. */
  limits: readonly CompiledLimit[]
  /** Where the line stands with each of them. */
  evaluationStates: readonly EvaluationState[]
  stateAlarms: readonly { readonly alarm: StateAlarm; readonly evaluationState: EvaluationState }[]
}

/** Begins watching a line from its committed state: alarms that are open stay open. */
export function newWatch(line: PlantLine): LineWatch {
  const limits = compile(line, line.reported)
  return {
    line,
    liveAt: line.liveAt === null ? null : liveTime(line.liveAt, line.liveReceivedAt ?? line.liveAt),
    states: new Map(line.states),
    positionSince: line.positionSince,
    reported: new Map(line.reported),
    stateAt: new Map(),
    seen: new Set(),
    limits,
    evaluationStates: limits.map((limit) => newEvaluationState(isOpen(line, limit.alarm.key, limit.point))),
    stateAlarms: stateAlarmsOf(line),
    batch: -1,
    row: -1,
  }
}

/** A birth begins a new session: times are in order within one, and a clock that was ahead may have been set right in between. */
export function beginSession(watch: LineWatch | null): void {
  if (!watch) return
  watch.liveAt = null
  watch.stateAt.clear()
  watch.seen.clear()
}

/** Whether its position was reported since it was last invalidated. */
export const hasValidPosition = (watch: LineWatch | null): boolean => watch?.seen.has('position') ?? false

/** Its gateway is away. */
export const invalidateStates = (watch: LineWatch | null): void => watch?.seen.clear()

/** After a setting, the rated current or the tuning changed: new limits, the same evaluation states. */
export function recompile(watch: LineWatch): void {
  const before = new Map(
    watch.limits.map(({ alarm, point }, index) => [alarmKeyOf(alarm.key, point), watch.evaluationStates[index]]),
  )
  watch.limits = compile(watch.line, watch.reported)
  watch.evaluationStates = watch.limits.map(
    ({ alarm, point }) => before.get(alarmKeyOf(alarm.key, point)) ?? newEvaluationState(isOpen(watch.line, alarm.key, point)),
  )
  const evaluationStates = new Map(watch.stateAlarms.map(({ alarm, evaluationState }) => [alarm.key, evaluationState]))
  watch.stateAlarms = stateAlarmsOf(watch.line).map(({ alarm, evaluationState }) => ({
    alarm,
    evaluationState: evaluationStates.get(alarm.key) ?? evaluationState,
  }))
}

/** What the database refused of this line is not so: what the watch took for granted of it is as committed again. */
export function takeBack(watch: LineWatch, { refused, states, settings, events }: Batch): void {
  const { line } = watch
  const state = states.get(line)
  if (state && refused.has(state)) {
    watch.positionSince = line.positionSince
    for (const [key, value] of state.changed) {
      if (watch.states.get(key) === value) restore(watch.states, key, line.states.get(key))
      watch.seen.delete(key)
    }
  }
  for (const setting of settings) {
    const { key, value } = setting
    if (setting.line !== line || !refused.has(setting) || watch.reported.get(key) !== value) continue
    restore(watch.reported, key, line.reported.get(key))
    recompile(watch)
  }
  for (const event of events) {
    if (event.line !== line || !refused.has(event)) continue
    const evaluationStates = [
      ...watch.evaluationStates.filter((_, index) => {
        const limit = watch.limits[index]
        return limit?.alarm.key === event.key && limit.point === event.point
      }),
      ...watch.stateAlarms.flatMap(({ alarm, evaluationState }) => (alarm.key === event.key ? [evaluationState] : [])),
    ]
    for (const evaluationState of evaluationStates)
      Object.assign(evaluationState, newEvaluationState(isOpen(line, event.key, event.point)))
  }
}

function restore<T>(map: Map<string, T>, key: string, committed: T | undefined): void {
  if (committed === undefined) map.delete(key)
  else map.set(key, committed)
}

const isOpen = (line: PlantLine, key: string, point: string | null): boolean => line.alarms.has(alarmKeyOf(key, point))

const stateAlarmsOf = (line: PlantLine): { alarm: StateAlarm; evaluationState: EvaluationState }[] =>
  line.device.family.alarms.flatMap((alarm) =>
    alarm.on === 'state' ? [{ alarm, evaluationState: newEvaluationState(isOpen(line, alarm.key, null)) }] : [],
  )

/** Limits are the same for every line of a kind, a plant has few kinds, and thousands of lines. */
const compiled = new Map<string, readonly CompiledLimit[]>()
const maxCompiled = 512

/** What somebody tuned is a line's own, and few are: it stands over what the kind has. */
function compile(line: PlantLine, reported: ReadonlyMap<string, number>): readonly CompiledLimit[] {
  const { tunings } = line
  const limits = compileKind(line, reported)
  return tunings.size === 0 ? limits : tunedLimits(limits, ({ alarm, point }) => tunings.get(alarmKeyOf(alarm.key, point)))
}

function compileKind({ device: { family, model }, ratedCurrentA }: PlantLine, reported: ReadonlyMap<string, number>) {
  const settings = [...reported].sort(([one], [other]) => (one < other ? -1 : 1))
  const kind = JSON.stringify([family.key, model, ratedCurrentA, settings])
  const known = compiled.get(kind)
  if (known) return known
  if (compiled.size >= maxCompiled) compiled.clear()
  const made = compileLimits({ family, model, ratedCurrentA, reported })
  compiled.set(kind, made)
  return made
}
