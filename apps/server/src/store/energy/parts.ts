import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'
import type { Stretch } from './quarter-cells.ts'

/** Readings that are looked at in one go: a line that reports each second has nearly so many a day. */
export const maxReadings = 100_000
/** Lines that report when something changes are taken to report so often, ms. */
const changingMs = 10_000

/** Stretches in parts of which none has more readings than fit into memory at once, by how often their lines report; in their order. */
export function inParts(stretches: readonly Stretch[], periods: ReadonlyMap<number, number>): readonly (readonly Stretch[])[] {
  const parts: Stretch[][] = []
  let readings = Number.POSITIVE_INFINITY
  for (const stretch of stretches) {
    const own = readingsOf(stretch, periods)
    if (readings + own > maxReadings) {
      parts.push([])
      readings = 0
    }
    parts.at(-1)?.push(stretch)
    readings += own
  }
  return parts
}

/** How many readings a stretch has about; the piece before it by which they are judged is small beside it. */
const readingsOf = ({ lineId, from, to }: Stretch, periods: ReadonlyMap<number, number>): number =>
  Math.min(to - from, dayMs) / (periods.get(lineId) || changingMs)

/** How often each line reports, ms; nought: when something changes. */
export async function periodsOf(client: pg.ClientBase, stretches: readonly Stretch[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ line_id: number; period_ms: number }>(
    `select line_id, coalesce(device.reporting_period_ms, gateway.reporting_period_ms)::float8 as period_ms
     from line join device using (device_id) join gateway using (gateway_id) where line_id = any ($1)`,
    [stretches.map(({ lineId }) => lineId)],
  )
  return new Map(rows.map((row) => [row.line_id, row.period_ms]))
}
