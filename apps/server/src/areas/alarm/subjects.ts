import type { SubjectSource } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { namesOfEvents } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

/** Alarms and events in the audit log. There are many: they are found by their number. */
export function alarmSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    event: {
      named: async (actor, ids) => {
        const events = await withRowSecurity(database, actor.scope, (db) => namesOfEvents(db, ids))
        return new Map(
          [...events].flatMap(([id, event]) => {
            const place = event.gatewayId === null ? plant.projects.get(event.projectId) : plant.gateways.get(event.gatewayId)
            if (!place || !('project' in place ? actor.seesGateway(place) : actor.sees(place.id))) return []
            const where = (event.lineId === null ? undefined : plant.lines.get(event.lineId)?.name) ?? place.name
            return [[id, { zh: `${event.zh} · ${where}`, en: `${event.en} · ${where}` }] as const]
          }),
        )
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
