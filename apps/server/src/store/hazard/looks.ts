import type { HazardSource } from '@linewarden/rules/hazard'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

/** When something was last seen to be right, and when still wrong. Unix ms; null: never, or nobody knows. */
export interface Looked {
  readonly passedAt: number | null
  readonly failedAt: number | null
}

const unknown: Looked = { passedAt: null, failedAt: null }

export interface SourceRow {
  readonly source: HazardSource
  readonly source_id: string
}

/** What showed a hazard beside alarms and findings: that is seen only by whoever looks again. */
export const lookSources = (db: Db, hazardId: number): Promise<SourceRow[]> =>
  db
    .selectFrom('hazard_source')
    .select(['source', 'source_id'])
    .where('hazard_id', '=', hazardId)
    .where('source', 'in', ['selfTest', 'exam', 'patrol'])
    .orderBy('at', 'desc')
    .limit(20)
    .execute()

/** Of a deduction its check and which one it was. */
export const examSource = (testId: number, itemKey: string): string => `${testId}:${itemKey}`
const itemOf = (sourceId: string): string => sourceId.slice(sourceId.indexOf(':') + 1)

/** What the newest finished health check of a line says of a deduction. What it could not examine it has not seen to be right. */
export async function examLook(db: Db, lineId: number | null, sourceId: string): Promise<Looked> {
  if (lineId === null) return unknown
  const item = itemOf(sourceId)
  const [check = item] = item.split(':')
  const { rows } = await sql<{ started_at: Date; has: boolean; lacks: boolean }>`
    select started_at, exists (select from jsonb_array_elements(found -> 'items') item where item ->> 'key' = ${item}) as has,
      exists (select from jsonb_array_elements(found -> 'gaps') gap where gap ->> 'key' = ${check}) as lacks
    from health_check_line join health_check using (test_id)
    where health_check_line.line_id = ${lineId} and state = 'done' order by test_id desc limit 1`.execute(db)
  const [newest] = rows
  if (!newest || newest.lacks) return unknown
  const at = newest.started_at.getTime()
  return newest.has ? { passedAt: null, failedAt: at } : { passedAt: at, failedAt: null }
}
