import { dayMs } from '@linewarden/equipment'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { quarterMs, quartersOfClock } from '@linewarden/rules/energy'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'
import type { TariffRow } from './tariff.ts'
import { findTariff } from './tariff.ts'

type Db = Kysely<Schema>

export type PriceImportRow = Selectable<Schema['price_import']>

/** Which import each day of UTC of a series is of, as it stands. */
export type PriceStamps = ReadonlyMap<number, ReadonlyMap<number, number>>

/** By tariff and day of UTC; tariffs without a series have none. */
export async function priceStamps(
  { general }: Pick<Database, 'general'>,
  tariffIds: readonly number[],
  days?: { readonly first: number; readonly last: number },
): Promise<PriceStamps> {
  if (tariffIds.length === 0) return new Map()
  const { rows } = await sql<{ tariff_id: number; day: number; number: number }>`
    select tariff_id, day - date '1970-01-01' as day, max(number) as number from price_day
    where tariff_id = any (${[...tariffIds]}::int[])
      and (${days === undefined} or day between ${dateText(days?.first ?? 0)}::date and ${dateText(days?.last ?? 0)}::date)
    group by tariff_id, day`.execute(general)
  return new Map(
    [...Map.groupBy(rows, ({ tariff_id }) => tariff_id)].map(([id, own]) => [
      id,
      new Map(own.map(({ day, number }) => [day, number])),
    ]),
  )
}

/** Prices of quarters by tariff, from an instant on; null: not known. */
export type SeriesPrices = ReadonlyMap<number, readonly (bigint | null)[]>

/** The prices of the quarters in `[from, to)`, both on quarters, Unix ms, of those of these tariffs that have a series. */
export async function readPrices(
  { general }: Pick<Database, 'general'>,
  tariffIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SeriesPrices> {
  if (tariffIds.length === 0 || to <= from) return new Map()
  const rows = await daysOf(general, tariffIds, Math.floor(from / dayMs), Math.floor((to - 1) / dayMs))
  const found = new Map<number, (bigint | null)[]>()
  for (const { tariffId, day, prices } of rows) {
    const own = found.get(tariffId) ?? new Array<bigint | null>((to - from) / quarterMs).fill(null)
    found.set(tariffId, own)
    const begins = (day * dayMs - from) / quarterMs
    for (const [place, price] of prices.entries()) {
      const index = begins + place
      if (index >= 0 && index < own.length) own[index] = price
    }
  }
  return found
}

interface PriceDay {
  readonly tariffId: number
  readonly day: number
  readonly prices: readonly (bigint | null)[]
}

async function daysOf(db: Db, tariffIds: readonly number[], first: number, last: number): Promise<readonly PriceDay[]> {
  const { rows } = await sql<{ tariff_id: number; day: string; prices: string }>`
    select distinct on (tariff_id, day) tariff_id, day::text as day, array_to_string(prices, ',', '') as prices from price_day
    where tariff_id = any (${[...tariffIds]}::int[]) and day between ${dateText(first)}::date and ${dateText(last)}::date
    order by tariff_id, day, number desc`.execute(db)
  return rows.map(({ tariff_id: tariffId, day, prices }) => ({
    ...{ tariffId, day: parseDate(day) ?? 0 },
    prices: prices.split(',').map((each) => (each === '' ? null : BigInt(each))),
  }))
}

/** The newest imports of a tariff, and where its series begins and ends; null: it has none. */
export async function importsOf(db: Db, projectId: number, tariffId: number, most: number) {
  const of = db.selectFrom('price_import').where('tariff_id', '=', tariffId).where('project_id', '=', projectId)
  const rows = await of.selectAll().orderBy('number', 'desc').limit(most).execute()
  const span = await of
    .select([sql<Date | null>`min(starts)`.as('starts'), sql<Date | null>`max(ends)`.as('ends')])
    .executeTakeFirstOrThrow()
  return { rows, starts: span.starts?.getTime() ?? null, ends: span.ends?.getTime() ?? null }
}

/** Prices of quarters as a file has them, from an instant on, one after the other; undefined: it says nothing of that one. */
export interface GivenPrices {
  readonly from: number
  readonly prices: readonly (bigint | null | undefined)[]
}

/** How many of the quarters that a file names had another price before. */
export async function changedBy(db: Db, tariffId: number, given: GivenPrices): Promise<number> {
  return (await overlaid(db, tariffId, given)).changed
}

/** Days of UTC as they would stand after an import; those that stay as they are are none of them. */
async function overlaid(db: Db, tariffId: number, { from, prices }: GivenPrices) {
  const to = from + prices.length * quarterMs
  const [first, last] = [Math.floor(from / dayMs), Math.floor((to - 1) / dayMs)]
  const before = new Map((await daysOf(db, [tariffId], first, last)).map((each) => [each.day, each.prices]))
  const days: { readonly day: number; readonly prices: readonly (bigint | null)[] }[] = []
  let changed = 0
  for (let day = first; day <= last; day++) {
    const own = [...(before.get(day) ?? new Array<bigint | null>(quartersOfClock).fill(null))]
    let [isNew, isNamed] = [false, false]
    for (let place = 0; place < quartersOfClock; place++) {
      const price = prices[(day * dayMs - from) / quarterMs + place]
      if (price === undefined) continue
      isNamed = true
      if (price === own[place]) continue
      changed += 1
      isNew = true
      own[place] = price
    }
    if (isNew || (isNamed && !before.has(day))) days.push({ day, prices: own })
  }
  return { days, changed }
}

interface PriceSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly tariffId: number
  readonly most: number
  readonly given: GivenPrices
  readonly columns: Pick<
    PriceImportRow,
    'source' | 'minutes' | 'quarters' | 'unknown' | 'sha256' | 'imported_at' | 'imported_name'
  >
}

/** Writes what an import changes as a new version of its days; null: it changes nothing, and nothing is written. */
export const savePrices = (
  { general }: Database,
  { projectId, owner, tariffId, most, given, columns }: PriceSave,
  audit: (tariff: TariffRow, row: PriceImportRow) => AuditEntry,
): Promise<PriceImportRow | null | 'noProject' | 'noTariff' | 'many'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const tariff = await findTariff(trx, projectId, tariffId)
    if (!tariff) return 'noTariff'
    const { days, changed } = await overlaid(trx, tariffId, given)
    if (days.length === 0) return null
    const [before] = (await importsOf(trx, projectId, tariffId, 1)).rows
    const number = (before?.number ?? 0) + 1
    if (number > most) return 'many'
    const row = await trx
      .insertInto('price_import')
      .values({
        ...{ ...columns, tariff_id: tariffId, project_id: projectId, number, changed, starts: new Date(given.from) },
        ends: new Date(given.from + given.prices.length * quarterMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await sql`insert into price_day (tariff_id, day, number, project_id, prices)
      select ${tariffId}, day, ${number}, ${projectId}, string_to_array(prices, ',', '')::bigint[]
      from unnest(${days.map(({ day }) => dateText(day))}::date[], ${days.map(({ prices }) => prices.map((each) => each ?? '').join(','))}::text[])
        as given (day, prices)`.execute(trx)
    await appendAudit(trx, audit(tariff, row))
    return row
  })
