import type { InspectionPlan } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { PlanRow } from '../../store/inspection/plan.ts'
import { newestRounds, planById } from '../../store/inspection/plan.ts'
import type { StoredStop } from '../../store/inspection/schema.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { ownItemRecord, presentStop } from './stops.ts'

/** Plans as the API shows them. */
export function createPlanRecords({ database, plant }: InspectionDeps, access: InspectionAccess) {
  return { record, records }

  async function record(planId: number): Promise<InspectionPlan> {
    const row = await planById(database.general, planId)
    const [found] = row ? await records([row]) : []
    if (!found) throw new Refusal('inspection plan not exists')
    return found
  }

  async function records(rows: readonly PlanRow[]): Promise<InspectionPlan[]> {
    const newest = await newestRounds(
      database.general,
      rows.map(({ plan_id }) => plan_id),
    )
    return rows.flatMap((row) => {
      const project = access.projectOf(row.project_id)
      if (!project) return []
      const last = newest.get(row.plan_id)
      return [
        {
          ...{ PlanID: row.plan_id, HouseID: project.id, HouseName: project.name, TimeZone: project.timeZone, Name: row.name },
          ...{ Kind: row.kind, LeftOut: [...row.left_out], OwnItems: row.own_items.map(ownItemRecord), Signature: row.signature },
          ...{ PhotoOn: row.photo_on, FourEyes: row.four_eyes, CountsFrom: row.counts_from, FirstDue: dateText(row.first_due) },
          Cycle: { Every: row.cycle_every, Unit: row.cycle_unit },
          WindowDays: { Before: row.before_days, After: row.after_days },
          ...{ Enabled: row.enabled, NextDue: row.next_due === null ? null : dateText(row.next_due), Version: row.version },
          Stops: row.stops.map((stop) => stopRecord(row.project_id, stop)),
          Assignees: row.assignees.map(({ id, name }) => ({ AccountID: id, Name: name })),
          Last: last
            ? { RoundID: last.round_id, State: last.state, DueDay: last.due_day === null ? null : dateText(last.due_day) }
            : null,
        },
      ]
    })
  }

  function stopRecord(projectId: number, stop: StoredStop): InspectionPlan['Stops'][number] {
    const there = presentStop(plant, projectId, stop)
    return {
      ...{ Kind: stop.kind, DeviceID: stop.kind === 'gateway' ? stop.gatewayId : (there?.gatewayId ?? null) },
      ...{ ControllerID: stop.controllerId, Place: stop.place, Name: there?.name ?? stop.name },
      ...{ GatewayName: there?.gatewayName ?? null, List: there?.list ?? '', Gone: there === null },
    }
  }
}
