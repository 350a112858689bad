import type { Sort } from '@linewarden/contract'
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'

/** What a list can be ordered by: its columns by the contract's keys, and what tells two alike apart. */
export interface Order<K extends string> {
  readonly columns: { readonly [key in K]: string | RawBuilder<unknown> }
  readonly ties: readonly string[]
}

/** An order by one of its columns, as the contract asks for it. */
export type SortOf<O extends Order<string>> = Sort<keyof O['columns'] & string>

/** As people order names: 2# before 10#, Chinese by its sound. */
export const named = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} collate "natural"`

/** Keys and account names: by their codes, whatever the language of the database. */
export const coded = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} collate "C"`

/** What may be missing stands at the end, whichever way the list goes. */
export const missingLast = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} is null, ${sql.ref(column)}`

/**
 * The order somebody asked for (`Name`, or `-Name` for downwards); without one, the list's own. Downwards is upwards read from the end, so
 * that one index serves both. Only columns of the order reach the SQL, never what was asked with.
 */
export function inOrder<DB, TB extends keyof DB, O, K extends string>(
  query: SelectQueryBuilder<DB, TB, O>,
  sort: Sort<K> | undefined,
  { columns, ties }: Order<K>,
  own: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  if (sort === undefined) return own(query)
  const down = sort.startsWith('-')
  const key = (down ? sort.slice(1) : sort) as K
  const column = columns[key]
  return [column, ...ties].reduce<SelectQueryBuilder<DB, TB, O>>((ordered, each) => {
    const by = typeof each === 'string' ? sql.ref(each) : each
    return ordered.orderBy(down ? sql`${by} desc` : sql`${by}`)
  }, query)
}
