import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder, LeaseClock } from '../jobs/due-work.ts'
import { dueNow } from './due.ts'
import type { StoredAction, StoredLinkage } from './linkage.ts'
import { linkagesById } from './linkage.ts'
import type { NewLinkageRun } from './linkage-run.ts'
import { insertLinkageRun } from './linkage-run.ts'
import type { LineBefore, WantedOrder } from './linkage-schema.ts'

/** What a firing does later. */
export interface DueAction {
  readonly executionId: string
  readonly parentId: string
  /** Of its linkage when it fired. */
  readonly version: number
  /** Among the actions that its linkage had then. */
  readonly position: number
  readonly action: Pick<StoredAction, 'kind' | 'lineId' | 'sceneId' | 'order'>
  /** Whether what it fired for was observed, and in time. */
  readonly mayClose: boolean
  readonly dueAt: number
  /** The lines that it closes, as they stood when it fired; null: it closes none, or that was not kept. */
  readonly before: readonly LineBefore[] | null
}

/** One that is due, with what led to the run that it belongs to. */
export interface ClaimedAction extends DueAction {
  /** Unix ms. */
  readonly firedAt: number
  readonly cause: readonly string[]
  readonly afterDanger: boolean | null
  /** A person had it act. */
  readonly byPerson: boolean
}

export async function insertDueActions(trx: Kysely<Schema>, linkageId: number, due: readonly DueAction[]): Promise<void> {
  if (due.length === 0) return
  await trx
    .insertInto('linkage_due')
    .values(
      due.map(({ executionId, parentId, version, position, action, mayClose, dueAt, before }) => ({
        ...{ run_id: executionId, linkage_id: linkageId, parent_run_id: parentId, version, position, due_at: new Date(dueAt) },
        ...{ kind: action.kind, line_id: action.lineId, scene_id: action.sceneId, may_close: mayClose },
        before: before && storableJson(before),
        work_order: action.order && storableJson(action.order),
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export interface DecidedAction {
  readonly linkage: StoredLinkage
  readonly run: NewLinkageRun
  readonly claim: Claim | null
}

interface Options {
  readonly clock: LeaseClock
  readonly holder: Holder
  /** Linkages that this server evaluates: those of others are left for a moment to whoever does. */
  readonly linkageIds: readonly number[]
  readonly graceMs: number
  /** By the ids of their runs: what could not be done is left alone for a while. */
  readonly except: readonly string[]
  readonly decide: (trx: Kysely<Schema>, linkage: StoredLinkage, due: ClaimedAction, now: number) => Promise<NewLinkageRun>
  /** One could not be decided or stored; the others are. Null: what is stored of it at last, so that it does not stay for ever. */
  readonly failed: (error: unknown, linkage: StoredLinkage, due: ClaimedAction, now: number) => NewLinkageRun | null
}

interface Row {
  readonly run_id: string
  readonly linkage_id: number
  readonly parent_run_id: string
  readonly version: number
  readonly position: number
  readonly kind: StoredAction['kind']
  readonly line_id: number | null
  readonly scene_id: number | null
  readonly may_close: boolean
  readonly due_at: Date
  readonly before: readonly LineBefore[] | null
  readonly work_order: WantedOrder | null
  readonly fired_at: Date
  readonly cause: string[]
  readonly after_danger: boolean | null
  readonly by_person: boolean
}

/** So many in one transaction; whoever claims them asks again until there are fewer. */
export const dueAtOnce = 100

/** Claims what is due of firings and stores what becomes of each; what cuts the power first. What another server claims is left alone. */
export function claimDueActions(
  { control }: Database,
  { clock, holder, linkageIds, graceMs, except, decide, failed }: Options,
): Promise<{ readonly decided: readonly DecidedAction[]; readonly found: number }> {
  return control.transaction().execute(async (trx) => {
    const now = await dueNow({ control: trx }, clock)
    const { rows } = await sql<Row>`
      select d.*, fired.claimed_at as fired_at, fired.cause, fired.after_danger, fired.trace ? 'reason' as by_person
      from linkage_due d join automation_run fired on fired.run_id = d.parent_run_id
      where d.due_at <= ${new Date(now)} and not d.run_id = any(${[...except]}::uuid[])
        and (d.linkage_id = any(${`{${linkageIds.join(',')}}`}::int[]) or d.due_at <= ${new Date(now - graceMs)})
      order by case d.kind when 'close' then 1 when 'workorder' then 2 else 0 end, d.due_at limit ${dueAtOnce} for update of d skip locked`.execute(
      trx,
    )
    if (rows.length === 0) return { decided: [], found: 0 }
    const ids = [...new Set(rows.map(({ linkage_id }) => linkage_id))]
    // Whoever changes one waits, or has changed it: what is stored here they find and end.
    await sql`select from linkage where linkage_id = any(${ids}::int[]) order by linkage_id for no key update`.execute(trx)
    const linkages = new Map((await linkagesById(trx, ids)).map((each) => [each.linkageId, each]))
    const decided: DecidedAction[] = []
    for (const row of rows) {
      const linkage = linkages.get(row.linkage_id)
      if (!linkage) continue
      const due = dueOf(row)
      const store = (make: () => Promise<NewLinkageRun>) =>
        saved(trx, async () => {
          const run = await make()
          const claim = await insertLinkageRun(trx, linkage, run, holder)
          await trx.deleteFrom('linkage_due').where('run_id', '=', row.run_id).execute()
          return { linkage, run, claim }
        })
      const done = await store(() => decide(trx, linkage, due, now)).catch(async (error) => {
        const last = failed(error, linkage, due, now)
        return last && store(() => Promise.resolve(last))
      })
      if (done) decided.push(done)
    }
    return { decided, found: rows.length }
  })
}

/** Does it as a part of the transaction that fails by itself: the rest of the transaction stays. */
async function saved<T>(trx: Kysely<Schema>, work: () => Promise<T>): Promise<T> {
  await sql`savepoint one`.execute(trx)
  try {
    const done = await work()
    await sql`release savepoint one`.execute(trx)
    return done
  } catch (error) {
    await sql`rollback to savepoint one`.execute(trx)
    throw error
  }
}

const dueOf = (row: Row): ClaimedAction => ({
  ...{ executionId: row.run_id, parentId: row.parent_run_id, version: row.version, position: row.position },
  ...{ action: { kind: row.kind, lineId: row.line_id, sceneId: row.scene_id, order: row.work_order } },
  ...{ mayClose: row.may_close, dueAt: row.due_at.getTime(), firedAt: row.fired_at.getTime(), before: row.before },
  ...{ cause: row.cause, afterDanger: row.after_danger, byPerson: row.by_person },
})
