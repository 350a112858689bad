import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { LineTag } from '../live/plant.ts'
import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import type { Database } from './database.ts'
import { lockLines } from './hold.ts'
import type { Schema } from './schema.ts'

export interface NewTag {
  readonly id: string
  readonly lineId: number
  readonly kind: 'lock' | 'tag'
  readonly accountId: string
  readonly holder: string
  readonly reason: string
  readonly photo: { readonly type: 'image/jpeg' | 'image/png' | 'image/webp'; readonly bytes: Buffer } | null
  readonly placedAt: number
}

/** A tag with what became of it. */
export interface StoredTag extends LineTag {
  readonly removedAt: number | null
  readonly removedBy: string | null
  readonly removedReason: string | null
}

const columns = [
  'tag_id',
  'line_id',
  'kind',
  'account_id',
  'holder',
  'reason',
  'placed_at',
  'removed_at',
  'removed_by',
  'removed_reason',
] as const

const tags = (db: Kysely<Schema>) =>
  db.selectFrom('line_tag').select(columns).select(sql<boolean>`photo is not null`.as('has_photo'))

/** Hangs a tag. The same id again changes nothing. Answers all tags that hang on the line then. */
export async function insertTag({ control }: Database, tag: NewTag, audit: AuditEntry): Promise<readonly LineTag[]> {
  return control.transaction().execute(async (trx) => {
    await lockLines(trx, [tag.lineId])
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('line_tag')
      .values({
        tag_id: tag.id,
        line_id: tag.lineId,
        kind: tag.kind,
        account_id: tag.accountId,
        holder: tag.holder,
        reason: tag.reason,
        photo: tag.photo?.bytes ?? null,
        photo_type: tag.photo?.type ?? null,
        placed_at: new Date(tag.placedAt),
      })
      .onConflict((oc) => oc.column('tag_id').doNothing())
      .executeTakeFirst()
    if (inserted) await appendAudit(trx, audit)
    return hangingTagsOf(trx, tag.lineId)
  })
}

/** Takes a tag off. False when it hangs no longer. */
export async function removeTag(
  { control }: Database,
  tag: { readonly id: string; readonly lineId: number; readonly at: number; readonly by: string; readonly reason: string | null },
  audit: AuditEntry,
): Promise<{ readonly removed: boolean; readonly left: readonly LineTag[] }> {
  return control.transaction().execute(async (trx) => {
    await lockLines(trx, [tag.lineId])
    const { numUpdatedRows } = await trx
      .updateTable('line_tag')
      .set({ removed_at: new Date(tag.at), removed_by: tag.by, removed_reason: tag.reason })
      .where('tag_id', '=', tag.id)
      .where('line_id', '=', tag.lineId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await appendAudit(trx, audit)
    return { removed: numUpdatedRows > 0n, left: await hangingTagsOf(trx, tag.lineId) }
  })
}

export async function hangingTagsOf(db: Kysely<Schema>, lineId: number): Promise<readonly LineTag[]> {
  const rows = await tags(db)
    .where('line_id', '=', lineId)
    .where('removed_at', 'is', null)
    .orderBy('placed_at')
    .orderBy('tag_id')
    .execute()
  return rows.map(tagOf)
}

/** Every tag that hangs, by line; or those of some lines only. */
export async function hangingTags(
  db: Kysely<Schema>,
  lineIds: readonly number[] | null = null,
): Promise<ReadonlyMap<number, readonly LineTag[]>> {
  const hanging = tags(db).where('removed_at', 'is', null).orderBy('placed_at').orderBy('tag_id')
  const rows = await (lineIds ? hanging.where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`) : hanging).execute()
  const byLine = new Map<number, LineTag[]>()
  for (const row of rows) byLine.set(row.line_id, [...(byLine.get(row.line_id) ?? []), tagOf(row)])
  return byLine
}

/** A line's tags, hanging or gone, newest first. */
export async function tagsOf({ general }: Database, lineId: number, size: number): Promise<readonly StoredTag[]> {
  const rows = await tags(general)
    .where('line_id', '=', lineId)
    .orderBy(sql`removed_at is not null`)
    .orderBy('placed_at', 'desc')
    .limit(size)
    .execute()
  return rows.map(tagOf)
}

/** The photo of a tag of this line. */
export async function tagPhoto(
  { general }: Database,
  lineId: number,
  tagId: string,
): Promise<{ readonly type: string; readonly bytes: Buffer } | null> {
  const row = await general
    .selectFrom('line_tag')
    .select(['photo', 'photo_type'])
    .where('tag_id', '=', tagId)
    .where('line_id', '=', lineId)
    .executeTakeFirst()
  return row?.photo && row.photo_type ? { type: row.photo_type, bytes: row.photo } : null
}

type TagRow = Awaited<ReturnType<ReturnType<typeof tags>['execute']>>[number]

const tagOf = (row: TagRow): StoredTag => ({
  id: row.tag_id,
  kind: row.kind,
  accountId: row.account_id,
  holder: row.holder,
  reason: row.reason,
  photo: row.has_photo,
  placedAt: row.placed_at.getTime(),
  removedAt: row.removed_at?.getTime() ?? null,
  removedBy: row.removed_by,
  removedReason: row.removed_reason,
})
