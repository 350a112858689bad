import type { SubjectSource } from '../../audit/names.ts'
import { sameText } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { healthCheckNames } from '../../store/health/check.ts'

/** Health checks in the audit log: by their numbers, as far as somebody sees them. */
export function healthSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    healthCheck: {
      named: async (actor, ids) => {
        const checks = await withRowSecurity(database, actor.scope, (db) => healthCheckNames(db, ids.map(Number)))
        return new Map(checks.map(({ testId, number }) => [String(testId), sameText(number)]))
      },
      ownerOf: async (id) => {
        const [check] = await healthCheckNames(database, [Number(id)])
        return check ? plant.projects.get(check.projectId)?.ownerId : undefined
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
