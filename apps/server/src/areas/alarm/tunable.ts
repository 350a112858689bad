import { Refusal } from '@linewarden/contract'
import type { AlarmTiming, CompiledLimit, NoTiming } from '@linewarden/rules/alarm'
import { compileLimits, timingOf, tunedLimits } from '@linewarden/rules/alarm'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { KeptTuning, TunedPlace } from '../../store/alarm/tuning.ts'

/** A limit of one point of a line, as it ships. */
export interface Tunable {
  readonly line: PlantLine
  readonly place: TunedPlace
  readonly limit: CompiledLimit
  readonly shipped: AlarmTiming
}

/** What of the alarm of an event can be tuned, or why nothing. */
export function tunableOf(
  plant: Plant,
  { line_id, key, point }: Pick<EventRow, 'line_id' | 'key' | 'point'>,
): Tunable | NoTiming | 'noLimit' {
  const line = line_id === null ? undefined : plant.lines.get(line_id)
  const alarm = line?.device.family.alarms.find((each) => each.key === key)
  if (!line || !alarm) return 'noLimit'
  const shipped = timingOf(alarm)
  if (typeof shipped === 'string') return shipped
  const { device, ratedCurrentA, reported } = line
  const { family, model } = device
  const limit = compileLimits({ family, model, ratedCurrentA, reported }).find(
    (each) => each.alarm.key === key && each.point === point,
  )
  return limit ? { line, place: { lineId: line.id, key, point: limit.point }, limit, shipped } : 'noLimit'
}

/** The same for what is to be done to it. */
export function tunableToChange(plant: Plant, row: EventRow): Tunable {
  const found = tunableOf(plant, row)
  if (typeof found === 'string') throw new Refusal(refusals[found])
  return found
}

const refusals = {
  notTunable: 'tuning not allowed',
  byEquipment: 'tuning by equipment',
  noLimit: 'tuning of lines only',
} as const

/** As ingest evaluates it: within the bounds, whatever is stored. */
export function timingInForce(limit: CompiledLimit, kept: KeptTuning | null): AlarmTiming {
  const [now = limit] = tunedLimits([limit], () => (kept?.inForce ? kept.timing : undefined))
  const { onDelayMs, offDelayMs, deadBandShare } = now.alarm
  return { onDelayMs, offDelayMs, deadBandShare }
}
