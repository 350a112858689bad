import type { EnergyFix } from '@linewarden/rules/energy'
import { fixedWh, howOfFix, quarterMs } from '@linewarden/rules/energy'
import type pg from 'pg'
import type { Cells, Stretch } from './quarter-cells.ts'
import { cellsOf } from './quarter-cells.ts'

/** What somebody entered of a stretch. */
export interface Fixed extends Stretch {
  readonly cells: readonly Cells[]
}

/** What was entered over these stretches and is not undone, the later one after the earlier. */
export async function fixesOver(client: pg.ClientBase, stretches: readonly Stretch[]): Promise<readonly Fixed[]> {
  if (stretches.length === 0) return []
  const { rows } = await client.query<Row>(
    `select place::int as place, line_id, (extract(epoch from fix.starts) * 1000)::float8 as starts, (extract(epoch from fix.ends) * 1000)::float8 as ends, method,
       case when method = 'register' then round((end_kwh - start_kwh) * coalesce(multiplier, 1) * 1000) else wh end as wh, course
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as wanted (id, begins, stops, place)
       join energy_fix as fix on fix.line_id = id and fix.starts < stops and fix.ends > begins and undone_at is null
       left join lateral (
         select multiplier from meter_span as meter
         where meter.line_id = id and meter.starts <= fix.starts and (meter.ends is null or meter.ends > fix.starts)
       ) as meter on true
     order by fix_id`,
    [stretches.map(({ lineId }) => lineId), stretches.map(({ from }) => new Date(from)), stretches.map(({ to }) => new Date(to))],
  )
  return rows.flatMap((row) => {
    const stretch = stretches[row.place - 1]
    return stretch
      ? laid(fixOf(row), { ...stretch, from: Math.max(stretch.from, row.starts), to: Math.min(stretch.to, row.ends) })
      : []
  })
}

interface Row {
  readonly place: number
  readonly line_id: number
  readonly starts: number
  readonly ends: number
  readonly method: 'register' | 'kwh' | 'profile' | 'zero'
  readonly wh: number | null
  readonly course: readonly (number | null)[] | null
}

function fixOf({ starts: from, ends: to, method, wh, course }: Row): EnergyFix {
  if (method === 'zero') return { method, from, to }
  return method === 'profile' ? { method, from, to, course: course ?? [] } : { method: 'kwh', from, to, wh: wh ?? 0 }
}

/** In pieces: of a quarter of which it says nothing, what is known stays. */
function laid(fix: EnergyFix, { lineId, from, to }: Stretch): readonly Fixed[] {
  const pieces: Fixed[] = []
  let wh: number[] = []
  for (let slot = from; slot <= to; slot += quarterMs) {
    const each = slot < to ? fixedWh(fix, slot) : null
    if (each !== null) wh.push(each)
    else if (wh.length > 0) {
      const begins = slot - wh.length * quarterMs
      const cells = cellsOf({ wh, how: new Uint8Array(wh.length).fill(howOfFix(fix)) }, begins)
      pieces.push({ lineId, from: begins, to: slot, cells })
      wh = []
    }
  }
  return pieces
}
