import type { Meter, MeterChange, MeterReadings } from '@linewarden/rules/energy'
import { changedBetween, plainMeter } from '@linewarden/rules/energy'
import { Quality } from '@linewarden/rules/monitor'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

/** A meter with why it was written so, by whom and when. */
export interface StoredMeter extends Meter {
  readonly id: number
  readonly lineId: number
  readonly reason: string
  readonly typedName: string
  /** Unix ms. */
  readonly typedAt: number
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`
const columns = `meter_id, line_id, ${ms('starts')}, ${ms('ends')}, serial, multiplier, accuracy_pct, register_max_kwh, start_register_kwh, end_register_kwh, reason, typed_name, ${ms('typed_at')}`

/** The meters of each of these lines, in their order; a line without any is not in it. */
export async function metersOf(db: Db, lineIds: readonly number[]): Promise<ReadonlyMap<number, readonly StoredMeter[]>> {
  const { rows } = await sql<Row>`
    select ${sql.raw(columns)} from meter_span where line_id = any (${[...lineIds]}::int[]) order by line_id, meter_span.starts`.execute(
    db,
  )
  return byLine(rows)
}

/** The same for who makes quarters. */
export async function metersFor(
  client: pg.ClientBase,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Meter[]>> {
  const { rows } = await client.query<Row>(
    `select ${columns} from meter_span where line_id = any ($1::int[]) order by line_id, meter_span.starts`,
    [[...new Set(lineIds)]],
  )
  return byLine(rows)
}

function byLine(rows: readonly Row[]): ReadonlyMap<number, readonly StoredMeter[]> {
  const found = new Map<number, StoredMeter[]>()
  for (const row of rows) {
    const own = found.get(row.line_id) ?? []
    found.set(row.line_id, own)
    own.push(meterOf(row))
  }
  return found
}

const meterOf = (row: Row): StoredMeter => ({
  ...{ id: row.meter_id, lineId: row.line_id, from: row.starts, to: row.ends, serial: row.serial },
  ...{ multiplier: row.multiplier, accuracyPercent: row.accuracy_pct, registerMaxKwh: row.register_max_kwh },
  ...{ startRegisterKwh: row.start_register_kwh, endRegisterKwh: row.end_register_kwh },
  ...{ reason: row.reason, typedName: row.typed_name, typedAt: row.typed_at },
})

interface Row {
  readonly meter_id: number
  readonly line_id: number
  readonly starts: number
  readonly ends: number | null
  readonly serial: string
  readonly multiplier: number
  readonly accuracy_pct: number
  readonly register_max_kwh: number | null
  readonly start_register_kwh: number | null
  readonly end_register_kwh: number | null
  readonly reason: string
  readonly typed_name: string
  readonly typed_at: number
}

/** By which the meters of a line are as somebody read them; 0: there are none. */
export const versionOf = (meters: readonly StoredMeter[]): number => Math.max(0, ...meters.map(({ id }) => id))

/**
 * What was read of a line while it had a meter; clocks that were off say nothing. The highest is looked for only where somebody says where its register
 * begins again: all of its readings are gone through for it.
 */
export async function meterReadings(
  db: Db,
  lineId: number,
  { from, to, registerMaxKwh }: Pick<Meter, 'from' | 'to' | 'registerMaxKwh'>,
): Promise<MeterReadings> {
  const of = (order: string) => sql`
    (select at, counter from reading where line_id = ${lineId} and counter is not null and quality & ${Quality.clock} = 0
      and at >= ${instant(from)}::timestamptz and at < ${instant(to ?? Number.POSITIVE_INFINITY)}::timestamptz order by ${sql.raw(order)} limit 1)`
  const { rows } = await sql<{ place: number; at: Date; counter: number }>`
    select 0 as place, * from ${of('at')} as first union all select 1, * from ${of('at desc')} as last
    ${registerMaxKwh === null ? sql`` : sql`union all select 2, * from ${of('counter desc')} as highest`}`.execute(db)
  const reading = (wanted: number) => {
    const row = rows.find(({ place }) => place === wanted)
    return row ? { at: row.at.getTime(), kwh: row.counter, quality: 0 } : null
  }
  return { first: reading(0), last: reading(1), highest: reading(2) }
}

/** As PostgreSQL reads it. */
const instant = (at: number): string => {
  if (at === Number.NEGATIVE_INFINITY) return '-infinity'
  return at === Number.POSITIVE_INFINITY ? 'infinity' : new Date(at).toISOString()
}

interface MetersSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly lineId: number
  /** As whoever writes saw them; 0: there were none. */
  readonly version: number
  readonly reason: string
  readonly name: string
  readonly at: number
}

/**
 * Writes the meters of a line over those that their editor saw, and notes the energy that goes by them. `plan` answers them, by those that there are,
 * or throws what refuses them.
 */
export const saveMeters = (
  db: Db,
  { projectId, owner, lineId, version, reason, name, at }: MetersSave,
  plan: (before: readonly StoredMeter[], trx: Db) => Promise<readonly Meter[]>,
  audit: (before: readonly Meter[], after: readonly Meter[]) => AuditEntry,
): Promise<readonly StoredMeter[] | 'noProject' | 'changed'> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const before = (await metersOf(trx, [lineId])).get(lineId) ?? []
    if (versionOf(before) !== version) return 'changed'
    const after = await plan(before, trx)
    // Only its end is another: who wrote it, and why, stays.
    const isLonger = (one: Meter, other: Meter) => isSame({ ...one, to: other.to, endRegisterKwh: other.endRegisterKwh }, other)
    const kept = before.filter((one) => after.some((other) => isLonger(one, other)))
    await sql`delete from meter_span where line_id = ${lineId} and not meter_id = any (${kept.map(({ id }) => id)}::int[])`.execute(
      trx,
    )
    for (const each of after) {
      const row = kept.find((one) => isLonger(one, each))
      const ends = each.to === null ? null : new Date(each.to)
      if (row)
        await sql`update meter_span set ends = ${ends}, end_register_kwh = ${each.endRegisterKwh} where meter_id = ${row.id}`.execute(
          trx,
        )
      else
        await sql`insert into meter_span (line_id, starts, ends, serial, multiplier, accuracy_pct, register_max_kwh, start_register_kwh, end_register_kwh, reason, typed_name, typed_at)
          values (${lineId}, ${instant(each.from)}::timestamptz, ${ends}, ${each.serial}, ${each.multiplier}, ${each.accuracyPercent}, ${each.registerMaxKwh},
            ${each.startRegisterKwh}, ${each.endRegisterKwh}, ${reason}, ${name}, ${new Date(at)})`.execute(trx)
    }
    await noteChanged(trx, lineId, changedBetween(before, after), at)
    await appendAudit(trx, audit(before, after))
    return (await metersOf(trx, [lineId])).get(lineId) ?? []
  })

const fields = Object.keys(plainMeter) as readonly (keyof Meter)[]
const isSame = (one: Meter, other: Meter): boolean => fields.every((field) => one[field] === other[field])

/** Its quarters are made anew from where anything of it is kept, and how finely its register counts is learned again. */
async function noteChanged(trx: Db, lineId: number, changes: readonly MeterChange[], now: number): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into energy_due (line_id, starts, ends, factor)
    select ${lineId}, greatest(starts, first), least(ends, last), factor
    from unnest(${changes.map(({ from }) => instant(from))}::timestamptz[], ${changes.map(({ to }) => instant(to))}::timestamptz[],
      ${changes.map(({ factor }) => factor)}::float8[]) as own (starts, ends, factor),
      (select least((select since from energy_line where line_id = ${lineId}),
        (select min(hour) from reading_hour where line_id = ${lineId} and counter_used is not null)) as first,
        coalesce((select made_to from energy_line where line_id = ${lineId}), ${new Date(now)}::timestamptz) as last) as kept
    where greatest(starts, first) < least(ends, last)`.execute(trx)
  await sql`update energy_line set step_wh = null where line_id = ${lineId}`.execute(trx)
}

/** Since when each of these lines has energy, Unix ms; those that have none are not in it. */
export async function linesMetered(db: Db, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('energy_line')
    .select(['line_id', 'since'])
    .where('line_id', '=', sql<number>`any (${[...lineIds]}::int[])`)
    .execute()
  return new Map(rows.map(({ line_id, since }) => [line_id, since.getTime()]))
}

/** Those of these lines of which more than the last day is still to be made anew. */
export async function linesDue(db: Db, lineIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ line_id: number }>`
    select distinct line_id from energy_due where line_id = any (${[...lineIds]}::int[]) and (factor is not null or ends < now() - interval '1 day')`.execute(
    db,
  )
  return new Set(rows.map(({ line_id }) => line_id))
}
