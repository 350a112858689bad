import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

type Column = readonly [kind: string, table: string, key: string, column: string]

/** What stands under a pepper: in which column of which table, each text beginning with the version and a dot. */
const sealed = [
  ['sign-in passwords', 'account', 'account_id', 'password_hash'],
  ['control passwords', 'account', 'account_id', 'control_hash'],
  ['sessions', 'session', 'session_id', 'token'],
  ['second factors', 'second_factor', 'account_id', 'sealed_key'],
  ['push secrets', 'push', 'push_id', 'secret'],
  ['push keys', 'push', 'push_id', 'aes_key'],
] as const satisfies readonly Column[]
const recoveryCodes = ['recovery codes', 'recovery_code', 'account_id', 'code_hash'] as const satisfies Column

export type SealedKind = (typeof sealed)[number][0]
export const sealedKinds: readonly SealedKind[] = sealed.map(([kind]) => kind)

/** How many of a kind stand under one version of the pepper. */
export interface UnderPepper {
  readonly version: number
  readonly kind: string
  readonly rows: number
}

/** Everything that stands under any version. */
export async function underPeppers({ general }: Database): Promise<UnderPepper[]> {
  const counts = [...sealed, recoveryCodes].map(
    ([kind, table, , column]) => sql`select ${kind}::text as kind, split_part(${sql.ref(column)}, '.', 1)::int as version,
      count(*)::int as rows from ${sql.table(table)} where ${sql.ref(column)} ~ '^[0-9]{1,4}[.]' group by 2`,
  )
  const { rows } = await sql<UnderPepper>`${sql.join(counts, sql` union all `)} order by version, kind`.execute(general)
  return rows
}

/** Keeps the fingerprint of a version that is used for the first time; answers the one that this database was written with. */
export async function keepFingerprint({ general }: Database, version: number, fingerprint: string, now: number): Promise<string> {
  const row = await general
    .insertInto('pepper')
    .values({ version, fingerprint, first_at: new Date(now) })
    .onConflict((oc) => oc.column('version').doUpdateSet({ version }))
    .returning('fingerprint')
    .executeTakeFirstOrThrow()
  return row.fingerprint
}

/**
 * Seals anew what of one kind stands under other versions than the newest, so many at most, on from the row `after`. `anew` answers null for what
 * cannot be opened; it stays. Answers the last row looked at; null: there are no more.
 */
export async function sealAnew(
  { general }: Database,
  kind: SealedKind,
  { newest, after, most, anew }: { newest: number; after: string | null; most: number; anew: (text: string) => string | null },
): Promise<string | null> {
  const [, table, key, column] = sealed.find(([each]) => each === kind) ?? sealed[0]
  const [id, text] = [sql.ref(key), sql.ref(column)]
  const { rows } = await sql<{ id: string; text: string }>`select ${id}::text as id, ${text} as text from ${sql.table(table)}
    where ${text} ~ '^[0-9]{1,4}[.]' and ${text} not like ${`${newest}.%`} and (${after}::text is null or ${id}::text > ${after})
    order by ${id}::text limit ${most}`.execute(general)
  for (const row of rows) {
    const fresh = anew(row.text)
    // Only while it is what was read: somebody may be changing it just now.
    if (fresh !== null)
      await sql`update ${sql.table(table)} set ${text} = ${fresh} where ${id}::text = ${row.id} and ${text} = ${row.text}`.execute(
        general,
      )
  }
  return rows.at(-1)?.id ?? null
}
