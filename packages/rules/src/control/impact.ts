import { isFedBy } from '../monitor/power-sum.ts'
import type { CommandAction } from './command.ts'

/** A line that an order names, or that hangs below one of those. */
export interface ImpactLine {
  readonly id: number
  /** The registered upstream line; null: none is registered. */
  readonly upstreamId: number | null
  /** Active power it carries now; null: not known. */
  readonly loadKw: number | null
  /** What its rated current can carry; null: not known. */
  readonly ratedKw: number | null
}

/** What an order moves: the lines it names, and those that lose or get their supply with them. */
export interface Impact {
  readonly named: number
  /** Lines downstream of those, at any depth, and not named themselves. */
  readonly downstream: number
  /** How many of the named lines have lines downstream. */
  readonly feeders: number
  /** A branch below a named line is part of that line's load. Null: of no line it is known. */
  readonly loadKw: number | null
  /** Lines whose load is not in `loadKw`, as nobody knows it. */
  readonly unknownLoads: number
  readonly ratedKw: number | null
}

/** @param named - ids of the lines the order names; `lines` holds them and everything registered below them */
export function impactOf(named: ReadonlySet<number>, lines: readonly ImpactLine[]): Impact {
  const ordered = lines.filter(({ id }) => named.has(id))
  const withDownstream = new Set(lines.flatMap(({ upstreamId }) => upstreamId ?? []))
  const byId = new Map(lines.map((line) => [line.id, line]))
  const upstreamOf = (id: number) => byId.get(id)?.upstreamId
  const tops = ordered.filter(({ id }) => !isFedBy(id, (each) => named.has(each), upstreamOf))
  const known = tops.filter(({ loadKw }) => loadKw !== null)
  const rated = tops.every(({ ratedKw }) => ratedKw !== null)
  return {
    named: ordered.length,
    downstream: lines.length - ordered.length,
    feeders: ordered.filter(({ id }) => withDownstream.has(id)).length,
    loadKw: known.length === 0 ? null : sum(known.map(({ loadKw }) => loadKw)),
    unknownLoads: tops.length - known.length,
    ratedKw: rated && tops.length > 0 ? sum(tops.map(({ ratedKw }) => ratedKw)) : null,
  }
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** Of more lines than this the count is typed before they are operated together (default). */
export const confirmAboveLines = 5

/**
 * The number of lines a person must type before this is ordered; null: none. A single line is tripped without it, whatever it feeds: making
 * safe must not wait for typing.
 */
export function countToConfirm(action: CommandAction, { named, downstream, feeders }: Impact, above: number): number | null {
  const asked = action === 'trip' ? named > 1 && named > above : named > above || feeders > 0
  return asked ? named + downstream : null
}

/** Whether the count that came with an order will do. A trip is not refused because an upstream line was registered anew meanwhile. */
export const isConfirmed = (action: CommandAction, typed: number | null, count: number, { named }: Impact): boolean =>
  typed !== null && (action === 'trip' ? typed >= named : typed === count)
