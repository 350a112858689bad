import { activeAlarmStates } from '@linewarden/rules/alarm'
import { detectors } from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import { eventsById } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import { openFindingIds } from '../../store/warning/finding.ts'
import type { WarningDeps } from './deps.ts'

const keys: ReadonlySet<string> = new Set(detectors.map(({ key }) => key))

/**
 * Findings on the lines of this server, by what the database has: another server may have raised one, or somebody there explained it as a
 * normal change.
 */
export function createOpenFindings({ database, plant, hub }: Pick<WarningDeps, 'database' | 'plant' | 'hub'>) {
  return {
    /** Runs by itself every half minute. */
    async read(): Promise<void> {
      const shown = new Map<string, PlantLine>()
      for (const line of plant.lines.values())
        for (const { eventId, key } of line.alarms.values()) if (keys.has(key)) shown.set(eventId, line)
      const open = new Set(await openFindingIds(database))
      const differing = [...[...shown.keys()].filter((id) => !open.has(id)), ...[...open].filter((id) => !shown.has(id))]
      if (differing.length === 0) return
      const changed = (await eventsById(database, differing)).flatMap((row) => {
        const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
        return line && apply(line, row) ? [{ line, row }] : []
      })
      if (changed.length === 0) return
      const lines = [...new Set(changed.map(({ line }) => line))]
      hub.publish({ lines, withEvents: lines, live: changed.map(({ row }) => eventTopic(plant, row, false)) })
    },
  }
}

/** Whether that changed anything: what this server stored meanwhile is on the line already. */
function apply(line: PlantLine, { event_id: eventId, key, point, kind, priority, state }: EventRow): boolean {
  const name = alarmKeyOf(key, point)
  const isShown = line.alarms.get(name)?.eventId === eventId
  const isOpen = activeAlarmStates.some((each) => each === state)
  if (isShown === isOpen || kind === 'order' || kind === 'journal') return false
  if (isOpen) line.alarms.set(name, { eventId, key, kind, priority, point })
  else line.alarms.delete(name)
  return true
}
