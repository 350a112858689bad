import type { SubjectSource } from '../../audit/names.ts'
import { sameText } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { planNames } from '../../store/inspection/plan.ts'
import { roundNames } from '../../store/inspection/round.ts'

const uuidShaped = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Plans and rounds in the audit log: by their names and numbers, as far as somebody sees them. */
export function inspectionSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    inspectionPlan: {
      named: async (actor, ids) => {
        const plans = await withRowSecurity(database, actor.scope, ({ general }) => planNames(general, ids.map(Number)))
        return new Map(plans.map(({ planId, name }) => [String(planId), sameText(name)]))
      },
      ownerOf: async (id) => {
        const [plan] = await planNames(database.general, [Number(id)])
        return plan ? plant.projects.get(plan.projectId)?.ownerId : undefined
      },
    },
    inspectionRound: {
      named: async (actor, ids) => {
        const known = ids.filter((id) => uuidShaped.test(id))
        const rounds = await withRowSecurity(database, actor.scope, ({ general }) => roundNames(general, known))
        return new Map(rounds.map(({ roundId, number }) => [roundId, sameText(number)]))
      },
      ownerOf: async (id) => {
        const [round] = uuidShaped.test(id) ? await roundNames(database.general, [id]) : []
        return round ? plant.projects.get(round.projectId)?.ownerId : undefined
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
