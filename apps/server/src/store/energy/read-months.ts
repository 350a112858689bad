import { dateText, parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { monthStart, nextMonthStart } from '@linewarden/rules/energy'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

export interface MonthScope {
  /** l: a line, g: a gateway, p: a project. */
  readonly kind: 'l' | 'g' | 'p'
  readonly id: number
}

/** A month that is over, as a sum. */
export interface StoredMonth {
  /** Its first. */
  readonly month: number
  readonly used: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
  /** Quarters of which something is known, and of which everything is. */
  readonly known: number
  readonly complete: number
  readonly lines: number
  readonly fed: boolean
}

/** The months that are stored as sums and lie in one of these periods as a whole. */
export async function readMonths(
  db: Database,
  { kind, id }: MonthScope,
  periods: readonly CivilPeriod[],
): Promise<ReadonlyMap<number, StoredMonth>> {
  return (await readMonthsOf(db, kind, [id], periods)).get(id) ?? new Map()
}

/** The same of several. */
export async function readMonthsOf(
  { general }: Database,
  kind: MonthScope['kind'],
  ids: readonly number[],
  periods: readonly CivilPeriod[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, StoredMonth>>> {
  const { rows } = await sql<Row>`
    select id, month::text as month, used, spread_used, estimated_used, entered_used, known, complete, lines, fed from energy_month
    where kind = ${kind} and id = any (${[...ids]}::int[]) and exists (
      select from unnest(${periods.map(({ first }) => dateText(first))}::date[], ${periods.map(({ end }) => dateText(end))}::date[])
        as period (first, last) where month >= first and month + interval '1 month' <= last)`.execute(general)
  const found = new Map<number, Map<number, StoredMonth>>()
  for (const row of rows) {
    const own = found.get(row.id) ?? new Map<number, StoredMonth>()
    found.set(row.id, own)
    const month = parseDate(row.month) ?? 0
    const parts = { used: row.used, spread: row.spread_used, estimated: row.estimated_used, entered: row.entered_used }
    own.set(month, { month, ...parts, known: row.known, complete: row.complete, lines: row.lines, fed: row.fed })
  }
  return found
}

interface Row {
  readonly id: number
  readonly month: string
  readonly used: number
  readonly spread_used: number
  readonly estimated_used: number
  readonly entered_used: number
  readonly known: number
  readonly complete: number
  readonly lines: number
  readonly fed: boolean
}

/** The dates of these periods that no stored month holds as a whole. */
export function besideMonths(periods: readonly CivilPeriod[], stored: { has(month: number): boolean }): readonly CivilPeriod[] {
  const left: CivilPeriod[] = []
  for (const { first, end } of periods) {
    for (let day = first; day < end; ) {
      const next = Math.min(end, nextMonthStart(day))
      const isStored = day === monthStart(day) && next === nextMonthStart(day) && stored.has(day)
      const last = left.at(-1)
      if (isStored) {
        day = next
        continue
      }
      if (last && last.end === day) left[left.length - 1] = { first: last.first, end: next }
      else left.push({ first: day, end: next })
      day = next
    }
  }
  return left
}
