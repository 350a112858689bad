import { dayMs, hourMs } from '@linewarden/equipment'
import type pg from 'pg'
import type { Dice } from './dice.ts'
import type { LineMake, LineTruth } from './line-truth.ts'
import { makeLine } from './line-truth.ts'

/** A Monday since 1970, as day 0 of a truth is one: truths end on the day before `today`. */
export const firstDayOf = (today: number, days: number): number => {
  const first = today - days
  return first - ((first + 3) % 7)
}

/** A line of a three-phase breaker as the small plan has them. */
export const makeOfPlan = (dice: Dice, more: Partial<LineMake> = {}): LineMake => ({
  ...makeLine(dice),
  phases: 3,
  ratedA: 63,
  tripMa: 300,
  peakShare: 0.7,
  restShare: 0.9,
  ...more,
})

const samplesPerHour = 3_600

/** The values of an hour in the slots of a family, one-based as the database counts. */
function slotsOf(pairs: readonly (readonly [slot: number, value: number])[]): (number | null)[] {
  const made = new Array<number | null>(16).fill(null)
  for (const [slot, value] of pairs) if (!Number.isNaN(value)) made[slot] = value
  return made
}

/**
 * Stores the hours of a truth as the roll-up does, and makes their days due. `firstDay`: the local day (since 1970) of its first hour, which
 * begins `offsetHours` before that of UTC. `wanted`: of which hours.
 */
export async function storeHours(
  client: pg.Client,
  line: { readonly id: number },
  { hours }: LineTruth,
  { firstDay, offsetHours, wanted = () => true }: { firstDay: number; offsetHours: number; wanted?: (hour: number) => boolean },
): Promise<void> {
  const rows: object[] = []
  const days = new Set<number>()
  for (const [i, hour] of hours.hour.entries()) {
    if (!wanted(i)) continue
    const of = (column: Float32Array | undefined) => column?.[i] ?? Number.NaN
    const temperatures = hours.terminalC.map((each, n) => [11 + n, of(each)] as const)
    const day = firstDay + Math.floor(hour / 24)
    days.add(day)
    rows.push({
      line_id: line.id,
      hour: new Date(firstDay * dayMs + (hour - offsetHours) * hourMs).toISOString(),
      count: hours.counts[i] === 1 ? samplesPerHour : 10,
      min: slotsOf([]),
      mean: slotsOf([[10, of(hours.residualMa)], ...temperatures]),
      max: slotsOf(hours.maxA.map((each, n) => [n, of(each)] as const)),
      quality: 0,
      square: hours.squareA2.map((each) => of(each)),
    })
  }
  await client.query(
    `insert into reading_hour (line_id, hour, count, min, mean, max, quality, square)
     select line_id, hour, count, min, mean, max, quality, square from json_populate_recordset(null::reading_hour, $1)
     on conflict (line_id, hour) do update set count = excluded.count, mean = excluded.mean, max = excluded.max, square = excluded.square`,
    [JSON.stringify(rows)],
  )
  await client.query('insert into line_day_due (line_id, day) select $1, unnest($2::int[])', [line.id, [...days]])
}
