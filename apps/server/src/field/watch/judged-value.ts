import type { StateAlarm } from '@linewarden/equipment'
import { SLOTS } from '@linewarden/equipment'
import { limitOf } from '@linewarden/rules/alarm'
import { freshForMs } from '@linewarden/rules/control'
import type { PlantLine } from '../../plant/plant.ts'
import type { Batch } from '../../store/ingest/batch.ts'
import type { LineWatch } from './line-watch.ts'

/** After a message: an alarm that the equipment itself evaluated gets the value and the limit, wherever in the message they stood. */
export function measureEvents(batch: Batch, watchOf: (line: PlantLine) => LineWatch | null): void {
  const { events } = batch
  for (; batch.measured < events.length; batch.measured += 1) {
    const event = events[batch.measured]
    const watch = event?.judges && event.line && watchOf(event.line)
    if (!event?.judges || !watch) continue
    events[batch.measured] = { ...event, ...measured(batch, watch, event.judges, event.at) }
  }
}

function measured(batch: Batch, watch: LineWatch, { points, limit }: NonNullable<StateAlarm['judges']>, at: number) {
  const { line, reported } = watch
  const { family, model } = line.device
  const judged = family.points.filter(({ key }) => points.includes(key))
  const values = judged.map(({ slot }) => valueAt(batch, watch, slot, at)).filter((value) => value !== null)
  if (values.length === 0) return {}
  const value = Math.max(...values)
  const against = limit ? limitOf(limit, { family, model, ratedCurrentA: line.ratedCurrentA, reported }) : null
  // A value from before the alarm is not the one that was evaluated.
  if (against !== null && value < against) return {}
  return { value, limit: against, unit: judged[0]?.unit ?? '' }
}

/** The newest value of a point up to then; one that is older than anybody would act on is none. */
function valueAt(batch: Batch, watch: LineWatch, slot: number, at: number): number | null {
  const { line } = watch
  let newest: { readonly at: number; readonly value: number } | null = null
  const take = (when: number, value: number) => {
    const age = at - when
    if (!Number.isNaN(value) && age >= 0 && age <= freshForMs && (newest === null || when > newest.at))
      newest = { at: when, value }
    return newest
  }
  let found = line.liveAt === null ? null : take(line.liveAt, line.values[slot] ?? Number.NaN)
  for (let row = batch.lastRowOf(watch); row >= 0; row = batch.before[row] ?? -1)
    found = take(batch.at[row] ?? 0, batch.values[row * SLOTS + slot] ?? Number.NaN)
  return found?.value ?? null
}
