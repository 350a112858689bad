import type { RoundBreak } from '@linewarden/rules/inspection'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
import type { Claim } from '../jobs/due-work.ts'
import { endWork, hasLease } from '../jobs/due-work.ts'
import { moveNextDue } from './next-due.ts'
import type { PlanRow } from './plan.ts'
import { lockedPlan } from './plan.ts'
import type { RoundRow } from './round.ts'
import { lockedRound } from './round.ts'
import type { StoredRoundResult } from './schema.ts'
import { addSheet } from './sheet.ts'

type Db = Kysely<Schema>

/** What an online round is called among due work; its key is its id. */
export const walkKind = 'inspectionRound'

export type RoundLineRow = Selectable<Schema['inspection_line']>
export type NewRoundLine = Omit<RoundLineRow, 'round_id' | 'project_id'>

/** Under the lease of the work, and with its plan and the round locked while it is walked. False: it goes no further here. */
async function underLease(
  { general }: Database,
  claim: Claim,
  work: (trx: Db, row: RoundRow, plan: PlanRow | undefined) => Promise<void>,
  planId: number | null = null,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const plan = planId === null ? undefined : await lockedPlan(trx, planId)
    if (!(await hasLease(trx, claim))) return false
    const row = await lockedRound(trx, claim.key)
    if (row?.state !== 'started') return false
    await work(trx, row, plan)
    return true
  })
}

/** Whoever took a round over walks it anew: what was found half an hour ago is not how things are. */
export const forgetLines = (database: Database, claim: Claim): Promise<boolean> =>
  underLease(database, claim, async (trx) => {
    await dropLines(trx, claim.key)
    await trx.updateTable('inspection_round').set({ done: 0 }).where('round_id', '=', claim.key).execute()
  })

export const dropLines = (trx: Db, roundId: string) => trx.deleteFrom('inspection_line').where('round_id', '=', roundId).execute()

/** Stores what was found on some lines. */
export const addLines = (database: Database, claim: Claim, lines: readonly NewRoundLine[]): Promise<boolean> =>
  underLease(database, claim, async (trx, { project_id }) => {
    await sql`insert into inspection_line (round_id, line_id, project_id, line_name, gateway_name, grade, found)
      select ${claim.key}, l.line_id, ${project_id}, l.line_name, l.gateway_name, l.grade, l.found
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l
        (line_id int, line_name text, gateway_name text, grade text, found jsonb)`.execute(trx)
    await trx
      .updateTable('inspection_round')
      .set((eb) => ({ done: eb('done', '+', lines.length) }))
      .where('round_id', '=', claim.key)
      .execute()
  })

/** Ends it with what it came to, and the sheet of that, or with why nothing could be found out. */
export const endWalk = (
  database: Database,
  claim: Claim,
  planId: number | null,
  {
    result,
    at,
    sheetOf,
    auditOf,
  }: {
    readonly result: StoredRoundResult | RoundBreak
    readonly at: number
    readonly sheetOf: (row: RoundRow) => string
    /** What the trail says of one that broke off. */
    readonly auditOf: (row: RoundRow, why: RoundBreak) => AuditEntry
  },
  hashOf: (text: string) => string,
): Promise<boolean> =>
  underLease(
    database,
    claim,
    async (trx, row, plan) => {
      const columns =
        typeof result === 'string'
          ? { state: 'abandoned' as const, decided_at: new Date(at), broke_off: result }
          : { state: 'finished' as const, finished_at: new Date(at), result: JSON.stringify(result) }
      await trx
        .updateTable('inspection_round')
        .set({ ...columns, version: row.version + 1 })
        .where('round_id', '=', row.round_id)
        .execute()
      if (typeof result === 'string') await dropLines(trx, row.round_id)
      else {
        const sheet = sheetOf({ ...row, finished_at: new Date(at), result })
        const of = { roundId: row.round_id, projectId: row.project_id, number: row.number }
        await addSheet(trx, { ...of, sheet, hash: hashOf(sheet), at })
      }
      if (plan) await moveNextDue(trx, plan)
      await endWork(trx, claim, typeof result === 'string' ? result : 'done', at)
      if (typeof result === 'string') await appendAudit(trx, auditOf(row, result))
    },
    planId,
  )

export interface RoundLineFilter {
  readonly roundId: string
  readonly grade: RoundLineRow['grade'] | null
  readonly check: string | null
  readonly text: string
}

/** A page of its lines, defects first, and how many match. */
export async function listRoundLines(
  db: Db,
  { roundId, grade, check, text }: RoundLineFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly RoundLineRow[]; readonly total: number }> {
  const matching = db
    .selectFrom('inspection_line')
    .where('round_id', '=', roundId)
    .$if(grade !== null, (query) => query.where(sql<boolean>`grade = ${grade}`))
    .$if(check !== null, (query) => query.where(sql<boolean>`found -> 'findings' @> ${JSON.stringify([{ check }])}::jsonb`))
    .$if(text.trim() !== '', (query) =>
      query.where(({ or }) => or([containsText('line_name', text), containsText('gateway_name', text)])),
    )
  const rows = await matching
    .selectAll()
    .orderBy(sql`array_position(array['defect', 'unknown', 'ok'], grade)`)
    .orderBy('line_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
