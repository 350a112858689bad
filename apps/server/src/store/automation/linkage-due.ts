import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder, LeaseClock } from '../jobs/due-work.ts'
import { dueNow } from './due.ts'
import type { StoredAction, StoredLinkage } from './linkage.ts'
import { linkagesById } from './linkage.ts'
import type { NewLinkageRun } from './linkage-run.ts'
import { insertLinkageRun } from './linkage-run.ts'

/** What a firing does later. */
export interface DueAction {
  readonly executionId: string
  readonly parentId: string
  /** Of its linkage when it fired. */
  readonly version: number
  /** Among the actions that its linkage had then. */
  readonly position: number
  readonly action: Pick<StoredAction, 'kind' | 'lineId' | 'sceneId'>
  readonly dueAt: number
}

export async function insertDueActions(trx: Kysely<Schema>, linkageId: number, due: readonly DueAction[]): Promise<void> {
  if (due.length === 0) return
  await trx
    .insertInto('linkage_due')
    .values(
      due.map(({ executionId, parentId, version, position, action, dueAt }) => ({
        ...{ run_id: executionId, linkage_id: linkageId, parent_run_id: parentId, version, position, due_at: new Date(dueAt) },
        ...{ kind: action.kind, line_id: action.lineId, scene_id: action.sceneId },
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
  readonly decide: (trx: Kysely<Schema>, linkage: StoredLinkage, due: DueAction, now: number) => Promise<NewLinkageRun>
}

/** Claims what is due of firings, the oldest first, and stores in one transaction what becomes of each. What another server claims is left alone. */
export function claimDueActions({ control }: Database, options: Options): Promise<readonly DecidedAction[]> {
  const { clock, holder, linkageIds, graceMs, decide } = options
  return control.transaction().execute(async (trx) => {
    const now = await dueNow({ control: trx }, clock)
    const rows = await trx
      .selectFrom('linkage_due')
      .selectAll()
      .where('due_at', '<=', new Date(now))
      .where(sql<boolean>`(linkage_id = any(${[...linkageIds]}::int[]) or due_at <= ${new Date(now - graceMs)})`)
      .orderBy('due_at')
      .limit(100)
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return []
    const linkages = new Map(
      (await linkagesById(trx, [...new Set(rows.map(({ linkage_id }) => linkage_id))])).map((each) => [each.linkageId, each]),
    )
    const decided: DecidedAction[] = []
    for (const row of rows) {
      const linkage = linkages.get(row.linkage_id)
      if (!linkage) continue
      const due = {
        ...{ executionId: row.run_id, parentId: row.parent_run_id, version: row.version, position: row.position },
        ...{ action: { kind: row.kind, lineId: row.line_id, sceneId: row.scene_id }, dueAt: row.due_at.getTime() },
      }
      const run = await decide(trx, linkage, due, now)
      decided.push({ linkage, run, claim: await insertLinkageRun(trx, linkage, run, holder) })
    }
    await trx
      .deleteFrom('linkage_due')
      .where(sql<boolean>`run_id = any(${rows.map(({ run_id }) => run_id)}::uuid[])`)
      .execute()
    return decided
  })
}
