import type { SubjectSource } from '../../audit/names.ts'
import { sameText } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

/** Timers in the audit log: by their names, as far as somebody sees them. */
export const timerSubjects = ({ database, plant }: { database: Database; plant: Plant }): SubjectSource => ({
  named: async (actor, ids) => {
    const timers = await withRowSecurity(database, actor.scope, ({ general }) =>
      timersWhere(general, { timerIds: ids.map(Number) }),
    )
    return new Map(timers.map(({ timerId, name }) => [String(timerId), sameText(name)]))
  },
  ownerOf: async (id) => {
    const [timer] = await timersWhere(database.general, { timerIds: [Number(id)] })
    return timer ? plant.projects.get(timer.projectId)?.ownerId : undefined
  },
})
