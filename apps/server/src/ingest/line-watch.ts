import type { StateAlarm } from '@linewarden/equipment'
import type { CompiledLimit, Standing } from '@linewarden/rules'
import { compileLimits, liveTime, newStanding } from '@linewarden/rules'
import type { PlantLine } from '../live/plant.ts'
import { alarmKeyOf } from '../live/plant.ts'

/**
 * What ingest knows of a line beyond what is committed: where each alarm stands, the newest live time and the newest states among messages
 * that are still on their way into the database. The plant that others see moves only after the commit.
 */
export interface LineWatch {
  readonly line: PlantLine
  liveAt: number | null
  readonly states: Map<string, string>
  limits: readonly { readonly limit: CompiledLimit; readonly standing: Standing }[]
  readonly stateAlarms: readonly { readonly alarm: StateAlarm; readonly standing: Standing }[]
  /** Rows of this line in the batch that is being filled: `[at, row]` pairs. */
  batch: number
  readonly rows: { at: number; row: number }[]
}

/** Begins watching a line from its committed state: alarms that are open stay open. */
export function newWatch(line: PlantLine): LineWatch {
  const open = (key: string, point: string | null) => line.alarms.has(alarmKeyOf(key, point))
  return {
    line,
    liveAt: line.liveAt === null ? null : liveTime(line.liveAt, line.liveReceivedAt ?? line.liveAt),
    states: new Map(line.states),
    limits: compile(line).map((limit) => ({ limit, standing: newStanding(open(limit.alarm.key, limit.point)) })),
    stateAlarms: line.device.family.alarms.flatMap((alarm) =>
      alarm.on === 'state' ? [{ alarm, standing: newStanding(open(alarm.key, null)) }] : [],
    ),
    batch: -1,
    rows: [],
  }
}

/** After a setting or the rated current changed: new limits, the same standings. */
export function recompile(watch: LineWatch): void {
  const before = new Map(watch.limits.map(({ limit, standing }) => [alarmKeyOf(limit.alarm.key, limit.point), standing]))
  watch.limits = compile(watch.line).map((limit) => ({
    limit,
    standing: before.get(alarmKeyOf(limit.alarm.key, limit.point)) ?? newStanding(),
  }))
}

const compile = (line: PlantLine) =>
  compileLimits({
    family: line.device.family,
    model: line.device.model,
    ratedCurrentA: line.ratedCurrentA,
    reported: line.reported,
  })
