import type { AuditAction } from '@linewarden/contract'
import { queryRounds, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { toEquipment } from '../../plant/live-topics.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { PlanRow } from '../../store/inspection/plan.ts'
import { planById } from '../../store/inspection/plan.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { roundById } from '../../store/inspection/round.ts'
import type { AssignedPerson } from '../../store/inspection/schema.ts'
import type { InspectionDeps } from './deps.ts'

export type InspectionAccess = ReturnType<typeof createInspectionAccess>

/** Who sees plans and rounds, and who may inspect. Rounds name people: an account that equipment is shared with sees none. */
export function createInspectionAccess({ database, plant, hub, clock, actorNow }: InspectionDeps) {
  return { projectsOf, seenPlan, seenRound, sees, mayInspect, fitAssignees, nameOf, auditOf, projectOf, published }

  function sees(actor: Actor, { project_id }: { readonly project_id: number }): boolean {
    return !actor.shared && actor.sees(project_id)
  }

  /** As if there were no others than those that somebody sees. */
  async function seenPlan(actor: Actor, planId: number): Promise<PlanRow> {
    const row = await withRowSecurity(database, actor.scope, ({ general }) => planById(general, planId))
    if (!row || !sees(actor, row)) throw new Refusal('inspection plan not exists')
    return row
  }

  async function seenRound(actor: Actor, roundId: string): Promise<RoundRow> {
    const row = await withRowSecurity(database, actor.scope, ({ general }) => roundById(general, roundId))
    if (!row || !sees(actor, row)) throw new Refusal('round not exists')
    return row
  }

  /** Projects seen whole, of all, of a group, or the one; null: everything. */
  function projectsOf(actor: Actor, project: PlantProject | null, cityId: number | undefined): readonly number[] | null {
    if (actor.platform && project === null && cityId === undefined) return null
    const projects = project ? [project] : [...plant.projects.values()]
    return projects.flatMap(({ id, cityId: of }) =>
      !actor.shared && actor.sees(id) && (cityId === undefined || of === cityId) ? [id] : [],
    )
  }

  /** Where people are named, those and administrators; else whoever may open the page. */
  function mayInspect(actor: Actor, assignees: readonly AssignedPerson[]): boolean {
    if (actor.shared) return false
    return assignees.length === 0 || actor.administrator || assignees.some(({ id }) => id === actor.accountId)
  }

  async function fitAssignees(accountIds: readonly string[], projectId: number): Promise<AssignedPerson[]> {
    const people: AssignedPerson[] = []
    for (const id of accountIds) {
      const person = await actorNow(id)
      if (!person || person.shared || !person.sees(projectId) || !permits('hazard.patrol', person))
        throw new Refusal('plan person blind', { name: person ? nameOf(person) : id })
      people.push({ id, name: nameOf(person) })
    }
    return people
  }

  function nameOf({ nickName, userName }: Pick<Actor, 'nickName' | 'userName'>): string {
    return nickName.trim() || userName
  }

  function auditOf(actor: Pick<Actor, 'userName' | 'address'>, action: AuditAction, projectId: number) {
    return by(actor, clock(), action, plant.projects.get(projectId)?.ownerId ?? null)
  }

  /** Whoever sees it asks for it again. */
  function published({ round_id, project_id }: Pick<RoundRow, 'round_id' | 'project_id'>): void {
    const message = { t: 'inspectionRound', RoundID: round_id } as const
    hub.publish({ live: [{ to: toEquipment(undefined, project_id), needs: queryRounds, message }] })
  }

  function projectOf(projectId: number): PlantProject | undefined {
    return plant.projects.get(projectId)
  }
}
