import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { quarterMs } from '@linewarden/rules/energy'
import type pg from 'pg'
import { arrayText } from './quarter-cells.ts'

/** A project or a gateway on one day. */
export interface ScopeDay {
  readonly kind: 'p' | 'g'
  readonly id: number
  readonly gatewayId: number | null
  /** The lines whose energy is its energy, each with since when it is known at all, Unix ms. */
  readonly lines: readonly { readonly lineId: number; readonly since: number }[]
  /** Some of its lines are fed by others of them. */
  readonly isFed: boolean
}

/** What is known of one quarter of a scope. */
export interface SlotSum {
  readonly wh: number
  /** Lines of which it is known. */
  readonly known: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
}

/** The sums of each scope by quarter, counted from the first of these days of UTC. */
export async function readSums(
  client: pg.ClientBase,
  scopes: readonly ScopeDay[],
  days: readonly number[],
): Promise<ReadonlyMap<ScopeDay, readonly SlotSum[]>> {
  const wanted = scopes.flatMap(({ lines }, scope) => lines.map(({ lineId }) => ({ scope, lineId })))
  const { rows } = await client.query<SlotSum & { scope: number; slot: number }>(
    `select scope, (day - $3::date) * 96 + place as slot, sum(each)::float8 as wh, count(*)::int as known,
       coalesce(sum(each) filter (where mark = 1), 0)::float8 as spread,
       coalesce(sum(each) filter (where mark = 2), 0)::float8 as estimated,
       coalesce(sum(each) filter (where mark = 3), 0)::float8 as entered
     from unnest($1::int[], $2::int[]) as wanted (scope, line_id) join energy_quarter using (line_id)
       cross join lateral (
         select number::int - 1 as place, each, get_byte(how, number::int - 1) as mark from unnest(wh) with ordinality as own (each, number)
       ) as quarter
     where day = any ($4::date[]) and each is not null group by 1, 2`,
    [wanted.map(({ scope }) => scope), wanted.map(({ lineId }) => lineId), dateOf(days[0] ?? 0), days.map(dateOf)],
  )
  const sums = new Map<ScopeDay, SlotSum[]>()
  for (const { scope, slot, ...sum } of rows) {
    const of = scopes[scope]
    if (!of) continue
    const own = sums.get(of) ?? []
    sums.set(of, own)
    own[slot] = sum
  }
  return sums
}

const dateOf = (at: number): string => dateText(Math.floor(at / dayMs))

/** A row of `energy_profile`, its arrays as texts. */
export function profileOf(
  { kind, id, gatewayId, lines, isFed }: ScopeDay,
  sums: readonly (SlotSum | undefined)[],
  slots: readonly number[],
  placeOf: (slot: number) => number,
) {
  const own = slots.map((slot) => sums[placeOf(slot)])
  // Before its first reading nothing is lacking of a line.
  const missing = slots.map((slot, index) => {
    const expected = lines.filter(({ since }) => since < slot + quarterMs).length
    return Math.max(0, expected - (own[index]?.known ?? 0))
  })
  const part = (of: 'spread' | 'estimated' | 'entered') => own.map((sum) => sum?.[of] ?? 0)
  const total = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)
  const orNone = (values: readonly number[]) => (values.some((value) => value !== 0) ? arrayText(values) : null)
  return {
    ...{ kind, id, gateway_id: gatewayId, lines: lines.length, fed: isFed },
    wh: arrayText(own.map((sum) => sum?.wh ?? null)),
    missing: orNone(missing),
    ...{ spread: orNone(part('spread')), estimated: orNone(part('estimated')), entered: orNone(part('entered')) },
    used: total(own.map((sum) => sum?.wh ?? 0)),
    ...{ spread_used: total(part('spread')), estimated_used: total(part('estimated')), entered_used: total(part('entered')) },
    // Of what lies before every line's first reading nothing is known either.
    lacking: missing.filter((count, index) => count > 0 || own[index] === undefined).length,
    unknown: own.filter((sum) => sum === undefined).length,
  }
}
