import { ruleDetector } from '@linewarden/rules/warning'
import type { SubjectSource } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { rulesById } from '../../store/warning/rule.ts'

/** Rules of early warning in the audit log: called as what they are about and where. */
export function warningSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    warningRule: {
      named: async (actor, ids) => {
        const rules = await withRowSecurity(database, actor.scope, (db) => rulesById(db, ids.map(Number)))
        return new Map(
          rules.flatMap(({ ruleId, key, projectId }) => {
            const label = ruleDetector(key)?.label
            const project = projectId === null ? undefined : plant.projects.get(projectId)
            if (!label) return []
            const where = project?.name ?? null
            const name = where === null ? label : { zh: `${where} · ${label.zh}`, en: `${where} · ${label.en}` }
            return [[String(ruleId), name] as const]
          }),
        )
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
