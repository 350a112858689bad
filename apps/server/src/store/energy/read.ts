import { dayMs } from '@linewarden/equipment'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { quarterMs, quartersOfClock } from '@linewarden/rules/energy'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** Quarters of one line, from `from` on. */
export interface LineQuarters {
  readonly from: number
  readonly wh: readonly (number | null)[]
  /** `How` of each, `missing` where nothing is known. */
  readonly how: Uint8Array
}

/** `[from, to)` of a line, both on quarters, Unix ms. */
interface LineStretch {
  readonly lineId: number
  readonly from: number
  readonly to: number
}

/** The quarters of a line in `[from, to)`, both on quarters, Unix ms. */
export async function readQuarters(db: Database, lineId: number, from: number, to: number): Promise<LineQuarters> {
  const [quarters] = await readQuartersOf(db, [{ lineId, from, to }])
  return quarters ?? emptyQuarters({ from, to })
}

/** The quarters of each of these stretches, in their order. */
export async function readQuartersOf({ general }: Database, stretches: readonly LineStretch[]): Promise<readonly LineQuarters[]> {
  const { rows } = await sql<{ place: number; day: string; wh: string; how: Buffer }>`
    select place::int as place, day::text as day, array_to_string(wh, ',', '') as wh, how
    from unnest(${stretches.map(({ lineId }) => lineId)}::int[], ${stretches.map(({ from }) => dateOf(from))}::date[],
      ${stretches.map(({ to }) => dateOf(to))}::date[]) with ordinality as asked (line, first, last, place)
    join energy_quarter on line_id = line and day between first and last`.execute(general)
  const found = stretches.map(emptyQuarters)
  for (const { place, day, wh, how } of rows) {
    const into = found[place - 1]
    if (!into) continue
    const begins = ((parseDate(day) ?? 0) * dayMs - into.from) / quarterMs
    const values = wh.split(',')
    for (let slot = 0; slot < quartersOfClock; slot++) {
      const index = begins + slot
      const value = values[slot]
      if (index < 0 || index >= into.wh.length || value === undefined || value === '') continue
      into.wh[index] = Number(value)
      into.how[index] = how[slot] ?? 4
    }
  }
  return found
}

function emptyQuarters({ from, to }: Pick<LineStretch, 'from' | 'to'>) {
  const count = Math.max(0, (to - from) / quarterMs)
  return { from, wh: new Array<number | null>(count).fill(null), how: new Uint8Array(count).fill(4) }
}

const dateOf = (at: number): string => dateText(Math.floor(at / dayMs))

/** Since which quarter a line has energy, Unix ms; null: it never had any. */
export async function lineSince({ general }: Database, lineId: number): Promise<number | null> {
  const row = await general.selectFrom('energy_line').select('since').where('line_id', '=', lineId).executeTakeFirst()
  return row?.since.getTime() ?? null
}

/** Since which quarter any of these lines has energy, and all of them, Unix ms; null: none ever had any, or one of them. */
export async function linesSince({ general }: Database, lineIds: readonly number[]) {
  const rows = await general
    .selectFrom('energy_line')
    .select('since')
    .where('line_id', '=', sql<number>`any (${[...lineIds]}::int[])`)
    .execute()
  const since = rows.map((row) => row.since.getTime())
  return {
    any: since.length === 0 ? null : Math.min(...since),
    all: since.length < lineIds.length || since.length === 0 ? null : Math.max(...since),
  }
}

export interface ProfileScope {
  /** p: a project, g: a gateway. */
  readonly kind: 'p' | 'g'
  readonly id: number
}

/** A day of a project or gateway: its sums, and its quarters where they were asked for. */
export interface ProfileDay {
  readonly day: number
  readonly lines: number
  readonly fed: boolean
  readonly used: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
  readonly lacking: number
  readonly unknown: number
  readonly quarters: ProfileQuarters | null
}

/** One value for each quarter of the day; null: none has any. */
export interface ProfileQuarters {
  readonly wh: readonly (number | null)[]
  readonly missing: readonly number[] | null
  readonly spread: readonly number[] | null
  readonly estimated: readonly number[] | null
  readonly entered: readonly number[] | null
}

/** The days from `first` to before `end`; with quarters those that are `detailed`. */
export async function readProfile(
  db: Database,
  { kind, id }: ProfileScope,
  { first, end }: { readonly first: number; readonly end: number },
  detailed: readonly number[] | 'all',
): Promise<readonly ProfileDay[]> {
  return (await readProfiles(db, kind, [{ id, first, end }], detailed)).get(id) ?? []
}

/** The days of several projects or gateways. */
export async function readProfiles(
  { general }: Database,
  kind: ProfileScope['kind'],
  stretches: readonly { readonly id: number; readonly first: number; readonly end: number }[],
  detailed: readonly number[] | 'all',
): Promise<ReadonlyMap<number, readonly ProfileDay[]>> {
  const days = detailed === 'all' ? null : detailed.map(dateText)
  const { rows } = await sql<Row>`
    select id, day::text as day, lines, fed, used, spread_used, estimated_used, entered_used, lacking, unknown,
      case when with_quarters then array_to_string(wh, ',', '') end as wh,
      case when with_quarters then array_to_string(missing, ',') end as missing,
      case when with_quarters then array_to_string(spread, ',') end as spread,
      case when with_quarters then array_to_string(estimated, ',') end as estimated,
      case when with_quarters then array_to_string(entered, ',') end as entered
    from (
      select energy_profile.*, ${days}::date[] is null or day = any (${days}::date[]) as with_quarters
      from unnest(${stretches.map((each) => each.id)}::int[], ${stretches.map(({ first }) => dateText(first))}::date[],
        ${stretches.map(({ end }) => dateText(end))}::date[]) as asked (place, first, last)
      join energy_profile on kind = ${kind} and id = place and day >= first and day < last
    ) as own order by own.id, own.day`.execute(general)
  const found = new Map<number, ProfileDay[]>()
  for (const row of rows) {
    const own = found.get(row.id)
    if (own) own.push(dayOf(row))
    else found.set(row.id, [dayOf(row)])
  }
  return found
}

const dayOf = (row: Row): ProfileDay => ({
  day: parseDate(row.day) ?? 0,
  ...{ lines: row.lines, fed: row.fed, used: row.used, spread: row.spread_used, estimated: row.estimated_used },
  ...{ entered: row.entered_used, lacking: row.lacking, unknown: row.unknown },
  quarters: row.wh === null ? null : quartersOf(row, row.wh),
})

interface Row {
  readonly id: number
  readonly day: string
  readonly lines: number
  readonly fed: boolean
  readonly used: number
  readonly spread_used: number
  readonly estimated_used: number
  readonly entered_used: number
  readonly lacking: number
  readonly unknown: number
  readonly wh: string | null
  readonly missing: string | null
  readonly spread: string | null
  readonly estimated: string | null
  readonly entered: string | null
}

const quartersOf = ({ missing, spread, estimated, entered }: Row, wh: string): ProfileQuarters => ({
  wh: wh.split(',').map((each) => (each === '' ? null : Number(each))),
  ...{ missing: numbers(missing), spread: numbers(spread), estimated: numbers(estimated), entered: numbers(entered) },
})

const numbers = (text: string | null): readonly number[] | null => text?.split(',').map(Number) ?? null

/** The first day of a project or gateway; null: it has none. */
export async function profileSince({ general }: Database, { kind, id }: ProfileScope): Promise<number | null> {
  const { rows } = await sql<{ day: string | null }>`
    select min(day)::text as day from energy_profile where kind = ${kind} and id = ${id} and unknown < cardinality(wh)`.execute(
    general,
  )
  return rows[0]?.day ? parseDate(rows[0].day) : null
}
