import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import type { SubjectSource } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { rootsOfIncidents } from '../../store/alarm/incident-list.ts'
import { rationalesById } from '../../store/alarm/rationale.ts'
import { namesOfEvents } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { alarmCatalogue } from './alarm-catalogue.ts'

/** Alarms, events and incidents in the audit log. There are many: they are found by their number. */
export function alarmSubjects({ database, plant }: { database: Database; plant: Plant }) {
  const eventNames = async (actor: Actor, ids: readonly string[]) => {
    const events = await withRowSecurity(database, actor.scope, (db) => namesOfEvents(db, ids))
    return new Map(
      [...events].flatMap(([id, event]) => {
        const place = event.gatewayId === null ? plant.projects.get(event.projectId) : plant.gateways.get(event.gatewayId)
        if (!place || !('project' in place ? actor.seesGateway(place) : actor.sees(place.id))) return []
        const where = (event.lineId === null ? undefined : plant.lines.get(event.lineId)?.name) ?? place.name
        return [[id, { zh: `${event.zh} · ${where}`, en: `${event.en} · ${where}` }] as const]
      }),
    )
  }
  return {
    rationale: {
      named: async (actor, ids) => {
        const written = await withRowSecurity(database, actor.scope, (db) => rationalesById(db, ids.map(Number)))
        return new Map(
          written.flatMap(({ rationaleId, key, projectId }) => {
            const label = alarmCatalogue().get(key)?.label
            const where = projectId === null ? undefined : plant.projects.get(projectId)?.name
            if (!label) return []
            return [
              [String(rationaleId), where ? { zh: `${where} · ${label.zh}`, en: `${where} · ${label.en}` } : label] as const,
            ]
          }),
        )
      },
    },
    event: { named: eventNames },
    /** Called as its root is. */
    incident: {
      named: async (actor, ids) => {
        const roots = await withRowSecurity(database, actor.scope, (db) => rootsOfIncidents(db, ids))
        const names = await eventNames(actor, [...roots.values()])
        return new Map([...roots].flatMap(([id, root]) => (names.has(root) ? [[id, names.get(root) as Text] as const] : [])))
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
