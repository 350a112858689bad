import { civilZone } from '@linewarden/rules/automation'
import type { CountedFrom, Cycle } from '@linewarden/rules/inspection'
import { nextDue, windowOf } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { PlanRow } from './plan.ts'

export const cycleOf = ({ cycle_every, cycle_unit }: Pick<PlanRow, 'cycle_every' | 'cycle_unit'>): Cycle => ({
  every: cycle_every,
  unit: cycle_unit,
})

export const windowDaysOf = ({ before_days, after_days }: Pick<PlanRow, 'before_days' | 'after_days'>) => ({
  before: before_days,
  after: after_days,
})

export const datesOf = (plan: Pick<PlanRow, 'first_due' | 'cycle_every' | 'cycle_unit'> & { counts_from: CountedFrom }) => ({
  ...{ firstDue: plan.first_due, cycle: cycleOf(plan), countsFrom: plan.counts_from },
})

/** Works out anew when a plan is due next, of its rounds as they are. Its row is locked by whoever asks. */
export async function moveNextDue(trx: Kysely<Schema>, plan: PlanRow): Promise<void> {
  const zone = civilZone(await zoneOfProject(trx, plan.project_id))
  const newest = await trx
    .selectFrom('inspection_round')
    .select(['due_day', 'state', 'finished_at'])
    .where('plan_id', '=', plan.plan_id)
    .where('due_day', 'is not', null)
    .orderBy('due_day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const last = await trx
    .selectFrom('inspection_round')
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .where('plan_id', '=', plan.plan_id)
    .executeTakeFirst()
  const day = !plan.enabled
    ? null
    : nextDue(datesOf(plan), {
        madeUpTo: plan.made_up_to,
        newestDue:
          newest?.due_day === null || newest === undefined
            ? null
            : { day: newest.due_day, stage: newest.finished_at ? 'done' : isMissed(newest.state) ? 'missed' : 'open' },
        completedOn: last?.at ? zone.dayAt(last.at.getTime()) : null,
      })
  await trx
    .updateTable('inspection_plan')
    .set({
      next_due: day,
      next_at: day === null ? null : new Date(windowOf(day, windowDaysOf(plan), zone, plan.kind === 'online').opensAt),
    })
    .where('plan_id', '=', plan.plan_id)
    .execute()
}

const isMissed = (state: string): boolean => state === 'lapsed' || state === 'abandoned'

export async function zoneOfProject(db: Kysely<Schema>, projectId: number): Promise<string> {
  const row = await db.selectFrom('project').select('time_zone').where('project_id', '=', projectId).executeTakeFirst()
  return row?.time_zone ?? 'UTC'
}
