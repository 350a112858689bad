/** One of the pages that take turns. */
export interface TurnPage {
  readonly key: string
  /** It has something to say at all. */
  readonly isEmpty: boolean
  /** Something in it is not as it should be: it comes twice as often. */
  readonly isAbnormal: boolean
}

/** What is shown since when, and what each page is owed. */
export interface Carousel {
  readonly shown: string | null
  readonly since: number
  readonly owed: ReadonlyMap<string, number>
}

export const carouselAtStart: Carousel = { shown: null, since: 0, owed: new Map() }

export interface CarouselNow {
  readonly pages: readonly TurnPage[]
  readonly now: number
  readonly dwellMs: number
  /** The page of an event that is critical and that nobody acknowledged: it stays while there is one. */
  readonly pinned: string | null
}

/**
 * Which page is shown (轮播): each that has something to say in its turn, one with something abnormal twice as often. None waits for more than
 * ten rounds of all. A page that has gone or has nothing to say any more is left at once, and none leaves an event that calls.
 */
export function turned(state: Carousel, { pages, now, dwellMs, pinned }: CarouselNow): Carousel {
  if (pinned !== null && pages.some(({ key }) => key === pinned))
    return state.shown === pinned ? state : { ...state, shown: pinned, since: now }
  const filled = pages.filter(({ isEmpty }) => !isEmpty)
  const speaking = filled.length > 0 ? filled : pages.slice(0, 1)
  const isHere = speaking.some(({ key }) => key === state.shown)
  // A clock that was set back does not keep a page for hours.
  const isOver = now - state.since >= dwellMs || now < state.since
  if (isHere && (!isOver || speaking.length === 1)) return state
  const weights = speaking.map((page) => ({ key: page.key, weight: page.isAbnormal ? 2 : 1 }))
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  const owed = new Map(weights.map(({ key, weight }) => [key, (state.owed.get(key) ?? 0) + weight]))
  const first = weights.toSorted((one, other) => (owed.get(other.key) ?? 0) - (owed.get(one.key) ?? 0))[0]
  if (!first) return { ...state, shown: null, since: now }
  owed.set(first.key, (owed.get(first.key) ?? 0) - all)
  return { shown: first.key, since: now, owed }
}
