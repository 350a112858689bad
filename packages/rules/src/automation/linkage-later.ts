/** How a line stands by what its equipment reports. */
export interface LineStands {
  /** Null: that is not known. */
  readonly position: 'open' | 'closed' | null
  /** Since when, Unix ms; null: no change was observed. */
  readonly since: number | null
}

/** A trip of a line since its linkage fired, or under way then: ordered, about to be, or left out because another was under way. */
export interface TripSince {
  /** By the firing itself, as by a scene of it. */
  readonly isOwn: boolean
  /** A danger led to it, or that is not known. */
  readonly afterDanger: boolean
  /** It has been ordered: only then can the line have opened by it. */
  readonly isOrdered: boolean
  /** Unix ms. */
  readonly at: number
}

/** An observed movement of a line since its linkage fired. */
export interface MoveSince {
  readonly to: 'open' | 'closed'
  /** When it was stored, Unix ms. */
  readonly at: number
}

/** What has become of a line between the firing of a linkage and a close of it that is due. */
export interface SinceFiring {
  /** As it stood when the linkage fired; null: that was not kept. */
  readonly before: LineStands | null
  /** As it stood when the rest of this was read, at its turn. */
  readonly read: LineStands
  readonly trips: readonly TripSince[]
  /** In their order. */
  readonly moves: readonly MoveSince[]
  /** Its device or its gateway was away since, or that is not known: what happened then was not observed. */
  readonly wasAway: boolean
}

/** How it is at the moment at which the close would be ordered. */
export interface LaterNow {
  readonly line: LineStands
  /** An alarm of fire, gas, arc or leakage is open on the line. */
  readonly isDanger: boolean
  /** By the cause that its breaker reports a protection has opened it last, or a hand. */
  readonly isOpenedByOther: boolean
  /** Whatever the same firing has tripped, and not closed again itself, is known to stand open. */
  readonly areTripsOpen: boolean
}

/**
 * Why a delayed close is not made. `danger`: one is there, or has tripped the line. `opened`: something else than this firing has opened or tripped
 * it since. `tripFailed`: what the firing trips does not stand open. `unknown`: how the line stood or stands, or stood in between, is not
 * known.
 */
export type LaterBar = 'danger' | 'opened' | 'tripFailed' | 'unknown'

/**
 * Whether a linkage may close a line after a delay: decided when the close is due, by everything since the firing. Null: nothing stands against it;
 * a line that stands closed by then needs none.
 */
export function laterBar(
  { before, read, trips, moves, wasAway }: SinceFiring,
  { line, isDanger, isOpenedByOther, areTripsOpen }: LaterNow,
): LaterBar | null {
  const others = trips.filter(({ isOwn }) => !isOwn)
  if (isDanger || others.some(({ afterDanger }) => afterDanger)) return 'danger'
  if (others.length > 0) return 'opened'
  if (!areTripsOpen) return 'tripFailed'
  if (before === null || before.position === null || read.position === null || line.position === null) return 'unknown'
  const ordered = trips.flatMap(({ isOrdered, at }) => (isOrdered ? at : []))
  const own = ordered.length > 0 ? Math.min(...ordered) : null
  if (own === null ? moves.some(({ to }) => to === 'open') : !isOwnOpening(before, read, moves, own)) return 'opened'
  // Whatever moves after that was read is no doing of the firing.
  const isAsRead = isSame(read, line) && (own !== null || isSame(before, line))
  if (line.position === 'closed') return null
  if (!isAsRead || (own !== null && isOpenedByOther)) return 'opened'
  return wasAway ? 'unknown' : null
}

/** Whether a line that the firing trips itself, from `own` on, has moved by that trip alone, if at all. */
function isOwnOpening(before: LineStands, read: LineStands, moves: readonly MoveSince[], own: number): boolean {
  const [first, ...more] = moves
  if (!first) return isSame(before, read)
  return more.length === 0 && first.to === 'open' && first.at >= own && read.since !== null
}

const isSame = (one: LineStands, other: LineStands): boolean => one.position === other.position && one.since === other.since
