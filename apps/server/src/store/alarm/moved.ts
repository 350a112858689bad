import { activeAlarmStates, isAlarmKind } from '@linewarden/rules/alarm'
import type { LiveTopic } from '../../plant/live-topics.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import type { EventRow } from './event.ts'
import { eventTopic } from './event-record.ts'
import type { MovedEvent } from './fold.ts'
import { isMadeRoot } from './fold-read.ts'

/** What the plant and whoever watches learn of events that folding has changed: an alarm that the server raised itself stands on its line. */
export function applyMoved(
  plant: Plant,
  moved: readonly MovedEvent[],
): { readonly lines: PlantLine[]; readonly withEvents: PlantLine[]; readonly live: LiveTopic[] } {
  const lines = moved.flatMap(({ row }) => {
    const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
    return line && applyMade(line, row) ? [line] : []
  })
  return { lines, withEvents: lines, live: moved.map(({ row, why }) => eventTopic(plant, row, why !== null)) }
}

function applyMade(line: PlantLine, row: EventRow): boolean {
  if (!isMadeRoot(row.key) || !isAlarmKind(row.kind) || row.state === null) return false
  const key = alarmKeyOf(row.key, row.point)
  if (!activeAlarmStates.includes(row.state)) return line.alarms.delete(key)
  line.alarms.set(key, { eventId: row.event_id, key: row.key, kind: row.kind, priority: row.priority, point: row.point })
  return true
}
