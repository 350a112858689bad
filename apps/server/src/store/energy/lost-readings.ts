import { hourMs } from '@linewarden/equipment'
import type { Knot } from '@linewarden/rules/energy'
import type pg from 'pg'

interface WithKnots {
  readonly lineId: number
  readonly knots: readonly Knot[]
}

/** Two knots with at least one whole hour between them. */
interface Gap {
  readonly lineId: number
  readonly knots: readonly Knot[]
  /** Of the knot after it. */
  readonly index: number
}

/**
 * The knots of each in pieces between which readings are lost: an hour was counted there of which none is left. It was no silence, so nothing is spread
 * over it.
 */
export async function withoutLost<R extends WithKnots>(
  client: pg.ClientBase,
  reads: readonly R[],
): Promise<readonly (R & { readonly pieces: readonly (readonly Knot[])[] })[]> {
  const lost = await lostIn(client, reads.flatMap(gapsOf))
  return reads.map((read) => {
    const cuts = lost.filter(({ knots }) => knots === read.knots).map(({ index }) => index)
    const bounds = [0, ...cuts, read.knots.length]
    return { ...read, pieces: bounds.slice(1).map((end, piece) => read.knots.slice(bounds[piece], end)) }
  })
}

const gapsOf = ({ lineId, knots }: WithKnots): readonly Gap[] =>
  knots.flatMap((knot, index) => (knot.at - (knots[index - 1]?.at ?? knot.at) > hourMs ? [{ lineId, knots, index }] : []))

async function lostIn(client: pg.ClientBase, gaps: readonly Gap[]): Promise<readonly Gap[]> {
  if (gaps.length === 0) return []
  const { rows } = await client.query<{ number: number }>(
    `select number::int from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as gap (id, starts, ends, number)
     where exists (
       select from reading_hour where line_id = id and hour > starts and hour <= ends - interval '1 hour' and counter_used is not null)
     order by number`,
    [
      gaps.map(({ lineId }) => lineId),
      gaps.map(({ knots, index }) => new Date(knots[index - 1]?.at ?? 0)),
      gaps.map(({ knots, index }) => new Date(knots[index]?.at ?? 0)),
    ],
  )
  return rows.flatMap(({ number }) => gaps[number - 1] ?? [])
}
