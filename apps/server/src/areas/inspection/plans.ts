import type {
  InspectionChecklist,
  InspectionPlan,
  insertInspectionPlan,
  List,
  queryInspectionPlans,
  Request,
  updateInspectionPlan,
} from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { checklistKeys, checklistOf } from '@linewarden/rules/inspection'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { listPlans } from '../../store/inspection/plan.ts'
import { insertPlan, removePlan, updatePlan } from '../../store/inspection/plan-write.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import type { PlanFields } from './plan-asks.ts'
import { createPlanAsks } from './plan-asks.ts'
import { createPlanRecords } from './plan-record.ts'
import { itemRecord, listName } from './stops.ts'

/** Plans of inspection rounds. */
export function createPlans(deps: InspectionDeps, access: InspectionAccess) {
  const { database, clock } = deps
  const { columnsOf, asked } = createPlanAsks(deps)
  const { record, records } = createPlanRecords(deps, access)
  return {
    async query(
      actor: Actor,
      project: PlantProject | null,
      { CityID, PlanID, Text = '', Sort, Page = 1, Size = 10 }: Request<typeof queryInspectionPlans>['body'],
    ): Promise<List<InspectionPlan>> {
      const filter = { projectIds: access.projectsOf(actor, project, CityID), planId: PlanID ?? null, text: Text }
      const { rows, total } = await withRowSecurity(database, actor.scope, ({ general }) =>
        listPlans(general, filter, { sort: Sort, page: Page, size: Size }),
      )
      return { items: await records(rows), total }
    },

    async insert(
      actor: Actor,
      project: PlantProject,
      body: Request<typeof insertInspectionPlan>['body'],
    ): Promise<InspectionPlan> {
      if (actor.shared) throw new Refusal('access denied')
      const columns = columnsOf(project, body, await access.fitAssignees(body.Assignees, project.id))
      const audit = { ...access.auditOf(actor, 'inspectionPlan.add', project.id), target: body.Name, after: shortOf(body) }
      const planId = await insertPlan(database, { projectId: project.id, columns, audit, now: clock() })
      if (planId === null) throw new Refusal('plan name used')
      return record(planId)
    },

    async update(actor: Actor, body: Request<typeof updateInspectionPlan>['body']): Promise<InspectionPlan> {
      const before = await access.seenPlan(actor, body.PlanID)
      const project = access.projectOf(before.project_id)
      if (!project) throw new Refusal('inspection plan not exists')
      const columns = columnsOf(project, body, await access.fitAssignees(body.Assignees, project.id))
      const audit = {
        ...access.auditOf(actor, 'inspectionPlan.edit', project.id),
        ...{
          target: body.Name,
          before: { name: before.name, stops: before.stops.length, enabled: before.enabled },
          after: shortOf(body),
        },
      }
      const updated = await updatePlan(database, body.PlanID, { columns, version: body.Version, audit, now: clock() })
      if (updated === null) throw new Refusal('plan name used')
      if (updated === 'changed') throw new Refusal('changed meanwhile')
      return record(body.PlanID)
    },

    async remove(actor: Actor, planId: number, version: number): Promise<null> {
      const plan = await access.seenPlan(actor, planId)
      const audit = { ...access.auditOf(actor, 'inspectionPlan.remove', plan.project_id), target: plan.name }
      if ((await removePlan(database, planId, { version, audit, now: clock() })) === 'changed')
        throw new Refusal('changed meanwhile')
      return null
    },

    checklists(): List<InspectionChecklist> {
      const items = checklistKeys.map((list) => ({ List: list, Name: listName(list), Items: checklistOf(list).map(itemRecord) }))
      return { items, total: items.length }
    },

    asked,
  }
}

/** What the audit trail says of a plan. */
const shortOf = ({ Name, Kind, Stops, Cycle, FirstDue, Enabled }: PlanFields) => ({
  ...{ name: Name, kind: Kind, stops: Stops.length, every: Cycle.Every, unit: Cycle.Unit, firstDue: FirstDue, enabled: Enabled },
})
