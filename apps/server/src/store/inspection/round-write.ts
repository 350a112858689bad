import type { RoundProgress } from '@linewarden/rules/inspection'
import type { Insertable, Kysely, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { MonthlyNumber } from '../core/monthly-number.ts'
import { nextOfMonth } from '../core/monthly-number.ts'
import type { Schema } from '../core/schema.ts'
import { moveNextDue } from './next-due.ts'
import type { PlanRow } from './plan.ts'
import { lockedPlan } from './plan.ts'
import type { RoundRow } from './round.ts'
import { lockedRound } from './round.ts'

type Trx = Kysely<Schema>

export type NewRound = Omit<Insertable<Schema['inspection_round']>, 'number'>

async function nextNumber(trx: Trx, number: MonthlyNumber): Promise<string> {
  const last = await nextOfMonth(trx, 'inspection_number', number)
  return `R${number.month}-${String(last).padStart(4, '0')}`
}

/** Makes the round of the next due date of a plan, if that is due still. False: it was made before, or the plan was changed. */
export async function makeDueRound(
  { general }: Database,
  planId: number,
  now: number,
  of: (plan: PlanRow, dueDay: number) => { readonly round: NewRound; readonly number: MonthlyNumber },
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const plan = await lockedPlan(trx, planId)
    if (!plan || plan.next_due === null || plan.next_at === null || plan.next_at.getTime() > now) return false
    const { round, number } = of(plan, plan.next_due)
    await trx
      .insertInto('inspection_round')
      .values({ ...round, number: await nextNumber(trx, number) })
      .onConflict((conflict) => conflict.columns(['plan_id', 'due_day']).where('due_day', 'is not', null).doNothing())
      .execute()
    await trx.updateTable('inspection_plan').set({ made_up_to: plan.next_due }).where('plan_id', '=', planId).execute()
    await moveNextDue(trx, { ...plan, made_up_to: plan.next_due })
    return true
  })
}

/** A round that begins at once. Null: its id was used before, or the project is being walked. */
export async function insertStarted(
  { general }: Database,
  { round, number, audit }: { readonly round: NewRound; readonly number: MonthlyNumber; readonly audit: AuditEntry },
  columnsOf: (trx: Trx) => Promise<Partial<NewRound>>,
): Promise<'done' | 'used' | 'walking'> {
  try {
    await general.transaction().execute(async (trx) => {
      await trx
        .insertInto('inspection_round')
        .values({ ...round, ...(await columnsOf(trx)), number: await nextNumber(trx, number) })
        .execute()
      await appendAudit(trx, audit)
    })
    return 'done'
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    if (constraint === 'inspection_round_pkey') return 'used'
    if (constraint === 'inspection_round_walking') return 'walking'
    throw error
  }
}

/** What is done to a round as it is at this moment. */
export interface RoundChange {
  readonly columns: Omit<Updateable<Schema['inspection_round']>, 'version'>
  readonly audit: AuditEntry | null
  /** Whether the next due date of its plan may move by it. */
  readonly movesDue?: boolean
}

/** Acts on a round with its row locked. `decide` throws what refuses it; null: there is nothing to do. */
export async function actOnRound(
  { general }: Database,
  roundId: string,
  decide: (row: RoundRow, trx: Trx) => Promise<RoundChange | null>,
): Promise<'done' | 'gone' | 'nothing' | 'walking'> {
  try {
    return await general.transaction().execute(async (trx) => {
      // The plan first, as whoever makes its next round does.
      const planId = (
        await trx.selectFrom('inspection_round').select('plan_id').where('round_id', '=', roundId).executeTakeFirst()
      )?.plan_id
      const plan = planId === null || planId === undefined ? undefined : await lockedPlan(trx, planId)
      const row = await lockedRound(trx, roundId)
      if (!row) return 'gone'
      const change = await decide(row, trx)
      if (!change) return 'nothing'
      await trx
        .updateTable('inspection_round')
        .set({ ...change.columns, version: row.version + 1 })
        .where('round_id', '=', roundId)
        .execute()
      if (change.movesDue && plan) await moveNextDue(trx, plan)
      if (change.audit) await appendAudit(trx, change.audit)
      return 'done'
    })
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'inspection_round_walking') return 'walking'
    throw error
  }
}

/** How far a round has come, for lists; its row is locked by whoever asks. */
export const saveProgress = (trx: Trx, roundId: string, progress: RoundProgress) =>
  trx
    .updateTable('inspection_round')
    .set({ progress: JSON.stringify(progress) })
    .where('round_id', '=', roundId)
    .execute()

/** Rounds whose window is over and that nobody started. */
export const lapsingRounds = async (db: Kysely<Schema>, now: number): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('inspection_round')
    .select('round_id')
    .where(sql<boolean>`state = 'planned'`)
    .where('lapses_at', '<=', new Date(now))
    .orderBy('lapses_at')
    .limit(500)
    .execute()
  return rows.map(({ round_id }) => round_id)
}

/** Planned online rounds whose window is open: the server walks them by itself. */
export const roundsToWalk = async (db: Kysely<Schema>, now: number): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('inspection_round')
    .select('round_id')
    .where(sql<boolean>`state = 'planned' and kind = 'online'`)
    .where('lapses_at', '>', new Date(now))
    .orderBy('lapses_at')
    .limit(100)
    .execute()
  return rows.map(({ round_id }) => round_id)
}
