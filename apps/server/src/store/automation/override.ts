import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** What a person has said of a line against its timers; times Unix ms. */
export interface StoredWord {
  readonly kind: 'next' | 'until' | 'stay' | 'released'
  readonly since: number
  readonly until: number | null
  readonly actor: string
  readonly reason: string
}

/** The latest words of people on a line: what they gave as their word, and what they ordered of it, by itself, in a group or by a scene they ran. */
export interface LineWords {
  readonly given: StoredWord | null
  /** A close counts when it was verified: one that came to nothing is no word that the line may be closed. */
  readonly ordered: { readonly action: 'trip' | 'close'; readonly at: number; readonly actor: string } | null
}

export async function wordsOfLine(db: Kysely<Schema>, lineId: number): Promise<LineWords> {
  const given = await db.selectFrom('line_override').selectAll().where('line_id', '=', lineId).executeTakeFirst()
  const { rows } = await sql<{ action: 'trip' | 'close'; issued_at: Date; actor: string }>`
    select action, issued_at, actor from command
    where line_id = ${lineId} and source in ('console', 'group', 'scene') and action in ('trip', 'close')
      and (action = 'trip' or verified_at is not null)
      and (source <> 'scene' or exists (
        select from operation_run o join automation_run r on r.run_id = o.automation_run_id
        where o.run_id = command.run_id and r.source = 'scene' and r.parent_run_id is null))
    order by issued_at desc limit 1`.execute(db)
  const [ordered] = rows
  return {
    given: given
      ? {
          ...{ kind: given.kind, since: given.since.getTime(), until: given.until?.getTime() ?? null },
          ...{ actor: given.actor, reason: given.reason },
        }
      : null,
    ordered: ordered ? { action: ordered.action, at: ordered.issued_at.getTime(), actor: ordered.actor } : null,
  }
}

/** Keeps what a person says of a line, over what stood there. */
export function saveWord({ general }: Database, lineId: number, word: StoredWord, audit: AuditEntry): Promise<void> {
  const row = {
    ...{ kind: word.kind, since: new Date(word.since), until: word.until === null ? null : new Date(word.until) },
    ...{ actor: word.actor, reason: word.reason },
  }
  return general.transaction().execute(async (trx) => {
    await trx
      .insertInto('line_override')
      .values({ line_id: lineId, ...row })
      .onConflict((oc) => oc.column('line_id').doUpdateSet(row))
      .execute()
    await appendAudit(trx, audit)
  })
}
