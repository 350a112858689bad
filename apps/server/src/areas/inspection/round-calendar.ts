import type { Reply, Request, roundCalendar } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import { dueAfter } from '@linewarden/rules/inspection'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { cycleOf } from '../../store/inspection/next-due.ts'
import type { PlanRow } from '../../store/inspection/plan.ts'
import { plansMaking } from '../../store/inspection/plan.ts'
import { roundsDueIn } from '../../store/inspection/round.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { dayOf } from './rounds.ts'

const maxCalendarDays = 100

/** What is due in some days: rounds that are there, and those that plans will make. */
export function createRoundCalendar({ database }: InspectionDeps, access: InspectionAccess) {
  return calendar

  async function calendar(
    actor: Actor,
    project: PlantProject | null,
    { CityID, From, To }: Request<typeof roundCalendar>['body'],
  ): Promise<Reply<typeof roundCalendar>> {
    const [from, to] = [dayOf(From), dayOf(To)]
    if (to < from || to - from >= maxCalendarDays) throw new Refusal('calendar too long', { days: maxCalendarDays })
    const projectIds = access.projectsOf(actor, project, CityID)
    const { made, plans } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
      made: await roundsDueIn(general, projectIds, from, to),
      plans: await plansMaking(general, projectIds),
    }))
    const items = [
      ...made.map((row) => ({
        ...{ PlanID: row.plan_id ?? 0, Name: row.name, HouseID: row.project_id, HouseName: row.project_name },
        ...{ DueDay: dateText(row.due_day ?? 0), FromDay: dateText(row.from_day ?? 0), ToDay: dateText(row.to_day ?? 0) },
        ...{ RoundID: row.round_id, State: row.state },
      })),
      ...plans.flatMap((plan) => expectedOf(plan, from, to)),
    ].toSorted((a, b) => (a.DueDay < b.DueDay ? -1 : a.DueDay > b.DueDay ? 1 : 0))
    return { items, total: items.length }
  }

  /** Those that a plan is still to make; counted from completions only the next one is known. */
  function expectedOf(plan: PlanRow, from: number, to: number) {
    const project = access.projectOf(plan.project_id)
    const days: number[] = []
    for (
      let day = firstOf(plan, from);
      project && day !== null && day <= to;
      day = plan.counts_from === 'plan' ? after(plan, day) : null
    )
      days.push(day)
    return days.map((day) => ({
      ...{ PlanID: plan.plan_id, Name: plan.name, HouseID: plan.project_id, HouseName: project?.name ?? '' },
      ...{ DueDay: dateText(day), FromDay: dateText(day - plan.before_days), ToDay: dateText(day + plan.after_days) },
      ...{ RoundID: null, State: null },
    }))
  }
}

/** The first date from a day on, without walking there: somebody may ask for the year 9999. */
function firstOf(plan: PlanRow, from: number): number | null {
  if (plan.next_due === null || plan.next_due >= from) return plan.next_due
  return plan.counts_from === 'plan' ? after(plan, from - 1) : null
}

const after = (plan: PlanRow, day: number): number => dueAfter(plan.first_due, cycleOf(plan), day)
