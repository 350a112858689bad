import { about } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { moveNextDue, zoneOfProject } from './next-due.ts'
import { lockedPlan, planById } from './plan.ts'

export type PlanColumns = Omit<
  Insertable<Schema['inspection_plan']>,
  'plan_id' | 'project_id' | 'version' | 'made_up_to' | 'next_due' | 'next_at' | 'created_at' | 'removed_at'
>

type Audit = Omit<AuditEntry, 'subject'>

/** Null: a plan of the project has this name. */
export async function insertPlan(
  { general }: Database,
  { projectId, columns, audit, now }: { projectId: number; columns: PlanColumns; audit: Audit; now: number },
): Promise<number | null> {
  return named(() =>
    general.transaction().execute(async (trx) => {
      const { plan_id } = await trx
        .insertInto('inspection_plan')
        .values({ ...columns, project_id: projectId, created_at: new Date(now) })
        .returning('plan_id')
        .executeTakeFirstOrThrow()
      await planned(trx, plan_id, now)
      await appendAudit(trx, { ...audit, subject: about('inspectionPlan', plan_id) })
      return plan_id
    }),
  )
}

/** Writes it anew. Null: a plan of the project has this name. */
export async function updatePlan(
  { general }: Database,
  planId: number,
  { columns, version, audit, now }: { columns: PlanColumns; version: number; audit: Audit; now: number },
): Promise<'done' | 'changed' | null> {
  return named(() =>
    general.transaction().execute(async (trx) => {
      const plan = await lockedPlan(trx, planId)
      if (plan?.version !== version) return 'changed'
      await trx
        .updateTable('inspection_plan')
        .set({ ...columns, version: version + 1 })
        .where('plan_id', '=', planId)
        .execute()
      // Whoever disables it wants none of its rounds to lapse.
      if (!columns.enabled) await dropPlanned(trx, planId)
      await planned(trx, planId, now)
      await appendAudit(trx, { ...audit, subject: about('inspectionPlan', planId) })
      return 'done'
    }),
  )
}

/** What was due before it was written, and cannot be done any more, is not made up: nobody was asked. */
async function planned(trx: Kysely<Schema>, planId: number, now: number): Promise<void> {
  const plan = await planById(trx, planId)
  if (!plan) return
  const today = civilZone(await zoneOfProject(trx, plan.project_id)).dayAt(now)
  const madeUpTo = Math.max(plan.made_up_to ?? Number.NEGATIVE_INFINITY, today - plan.after_days - 1)
  await trx.updateTable('inspection_plan').set({ made_up_to: madeUpTo }).where('plan_id', '=', planId).execute()
  await moveNextDue(trx, { ...plan, made_up_to: madeUpTo })
}

async function named<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'inspection_plan_name') return null
    throw error
  }
}

const dropPlanned = (trx: Kysely<Schema>, planId: number) =>
  trx.deleteFrom('inspection_round').where('plan_id', '=', planId).where(sql<boolean>`state = 'planned'`).execute()

/** Takes a plan out, with its rounds that nobody has started. */
export async function removePlan(
  { general }: Database,
  planId: number,
  { version, audit, now }: { version: number; audit: Audit; now: number },
): Promise<'done' | 'changed'> {
  return general.transaction().execute(async (trx) => {
    const plan = await lockedPlan(trx, planId)
    if (plan?.version !== version) return 'changed'
    await dropPlanned(trx, planId)
    await trx
      .updateTable('inspection_plan')
      .set({ removed_at: new Date(now), next_due: null, next_at: null, version: version + 1 })
      .where('plan_id', '=', planId)
      .execute()
    await appendAudit(trx, { ...audit, subject: about('inspectionPlan', planId) })
    return 'done'
  })
}
