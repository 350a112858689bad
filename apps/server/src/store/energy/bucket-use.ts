import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { quarterMs, quartersOfClock } from '@linewarden/rules/energy'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** Between two edges: what is known, Wh, and of how many quarters. */
interface BucketUse {
  readonly used: number
  readonly known: number
}

/**
 * What each of these lines used between edges, Unix ms, one bucket less than there are edges. A day of UTC that lies in one bucket and was measured
 * throughout is read as one number; of the others the quarters.
 */
export async function readBucketUse(
  { general }: Database,
  lineIds: readonly number[],
  edges: readonly number[],
): Promise<ReadonlyMap<number, readonly BucketUse[]>> {
  const [first = 0, last = 0] = [edges[0], edges.at(-1)]
  const days = [...new Set(edges.map((at) => Math.floor(at / dayMs)))]
  const epoch = sql`date '1970-01-01'`
  const { rows } = await sql<{ line_id: number; day: number; whole: number | null; wh: string | null }>`
    select line_id, day - ${epoch} as day, case when not is_cut then measured_wh end::float8 as whole,
      case when is_cut or measured_wh is null then array_to_string(wh, ',', '') end as wh
    from (
      select energy_quarter.*, day = any (${days.map(dateText)}::date[]) as is_cut from energy_quarter
      where line_id = any (${[...lineIds]}::int[]) and day between ${dateText(Math.floor(first / dayMs))}::date and ${dateText(Math.floor(last / dayMs))}::date
    ) as own order by line_id, day`.execute(general)
  const found = new Map(lineIds.map((id) => [id, edges.slice(1).map(() => ({ used: 0, known: 0 }))]))
  const bucketOf = finder(edges)
  for (const { line_id, day, whole, wh } of rows) {
    const own = found.get(line_id)
    if (!own) continue
    if (whole !== null) {
      add(own[bucketOf(day * dayMs)], whole, quartersOfClock)
      continue
    }
    for (const [place, value] of (wh ?? '').split(',').entries())
      if (value !== '') add(own[bucketOf(day * dayMs + place * quarterMs)], Number(value), 1)
  }
  return found
}

function add(bucket: { used: number; known: number } | undefined, used: number, known: number): void {
  if (!bucket) return
  bucket.used += used
  bucket.known += known
}

/** In which bucket an instant lies; of instants that follow one another it is found at once. Before the first edge: -1. */
function finder(edges: readonly number[]): (at: number) => number {
  let place = 0
  return (at) => {
    if (at < (edges[place] ?? 0)) place = 0
    while (place < edges.length - 1 && at >= (edges[place + 1] ?? 0)) place += 1
    return at < (edges[place] ?? 0) ? -1 : place
  }
}
