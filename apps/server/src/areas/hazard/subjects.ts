import type { SubjectSource } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { hazardNames } from '../../store/hazard/list.ts'

/** Hazards in the audit log: as they are called, as far as somebody sees them. */
export function hazardSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    hazard: {
      named: async (actor, ids) => {
        const found = await withRowSecurity(database, actor.scope, ({ general }) => hazardNames(general, ids.map(Number)))
        return new Map(found.map(({ hazardId, zh, en }) => [String(hazardId), { zh, en }]))
      },
      ownerOf: async (id) => {
        const [hazard] = await hazardNames(database.general, [Number(id)])
        return hazard ? plant.projects.get(hazard.projectId)?.ownerId : undefined
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
