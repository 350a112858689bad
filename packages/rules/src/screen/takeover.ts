/** An event that asks a wall for all its attention: critical, still there, and acknowledged by nobody. Times in Unix ms. */
export interface CallingEvent {
  readonly eventId: string
  /** Fire or gas: somebody may have to leave. */
  readonly isLifeSafety: boolean
  /** When it was raised last, by its equipment. */
  readonly raisedAt: number
  /** When the server had it first. */
  readonly storedAt: number
}

/** What calls now (报警接管). Several take turns; what has called for long leaves a banner and gives the plant back. */
export interface Takeover {
  readonly shown: CallingEvent
  /** 0 is the first of `count`. */
  readonly place: number
  readonly count: number
  /** The whole screen, and the place before all else. */
  readonly isLifeSafety: boolean
}

const turnMs = 8_000
const takesOverForMs = 600_000

/** Since when it calls. A clock that is ahead says nothing, and one that is behind does not make an event old that has just come. */
const callsSince = ({ raisedAt, storedAt }: CallingEvent, now: number): number =>
  raisedAt > now ? Math.min(storedAt, now) : Math.max(raisedAt, Math.min(storedAt, now))

const byPriorityThenTime = (one: CallingEvent, other: CallingEvent): number =>
  Number(other.isLifeSafety) - Number(one.isLifeSafety) ||
  one.storedAt - other.storedAt ||
  (one.eventId < other.eventId ? -1 : one.eventId > other.eventId ? 1 : 0)

/**
 * What a wall shows of the events that call. Where people are in danger no other event takes a turn. `banner`: those that called for ten
 * minutes, in their order; nothing leaves both before somebody acknowledges it or it is over.
 */
export function takeoverOf(
  calling: readonly CallingEvent[],
  now: number,
): { readonly takeover: Takeover | null; readonly banner: readonly CallingEvent[] } {
  const isFresh = (event: CallingEvent) => now - callsSince(event, now) < takesOverForMs
  const sorted = calling.toSorted(byPriorityThenTime)
  const fresh = sorted.filter(isFresh)
  const banner = sorted.filter((event) => !isFresh(event))
  const isLifeSafety = fresh[0]?.isLifeSafety === true
  const turns = fresh.filter((event) => event.isLifeSafety === isLifeSafety)
  const place = turns.length === 0 ? 0 : Math.floor(now / turnMs) % turns.length
  const shown = turns[place]
  return { takeover: shown ? { shown, place, count: turns.length, isLifeSafety } : null, banner }
}

/** Between two sounds of a wall at least. */
const soundEveryMs = 30_000

/** Whether it is to be heard now: something calls, and what was heard last is long enough ago. A clock that was set back silences nothing. */
export const isSoundDue = (isCalling: boolean, lastAt: number | null, now: number): boolean =>
  isCalling && (lastAt === null || now - lastAt >= soundEveryMs || now < lastAt)
