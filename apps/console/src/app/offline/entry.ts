import type { Text } from '@linewarden/equipment'

/** Something that a person did on this device, kept until the server has named it. */
export interface Entry<B = unknown> {
  /** Made once. The same act again has the same. */
  readonly id: string
  /** An answer that is given anew takes the place of the former one, with a higher revision. */
  readonly rev: number
  /** In the order in which they were made on this device. */
  readonly seq: number
  /** What it belongs to: acts on one thing are sent in order, those on another do not wait for them. */
  readonly thing: string
  /** Which sender carries it. */
  readonly kind: string
  /** 0 what was done, 1 photos, 2 what counts only once all of that is there. */
  readonly rank: 0 | 1 | 2
  readonly body: B
  /** Unix ms by this device's clock. */
  readonly madeAt: number
  readonly state: EntryState
  readonly tries: number
  /** Not to be sent before; Unix ms by this device's clock. */
  readonly notBefore: number
  /** Why the server did not take it as it is. */
  readonly why: Text | null
}

export type EntryState =
  | 'waiting'
  /** The server has named it as held. */
  | 'held'
  /** The server has it, and something else that contradicts it. */
  | 'conflict'
  /** The server will not take it; it stays here for the person. */
  | 'refused'

/** What became of one entry. One that is not among the outcomes waits on. */
export interface Outcome {
  readonly id: string
  readonly rev: number
  readonly became: Exclude<EntryState, 'waiting'> | 'later'
  readonly why?: Text | null
}

const byOrder = (one: Entry, other: Entry): number => one.rank - other.rank || one.seq - other.seq

const waitingByThing = (entries: readonly Entry[]): readonly (readonly Entry[])[] =>
  [
    ...Map.groupBy(
      entries.filter(({ state }) => state === 'waiting'),
      ({ thing }) => thing,
    ).values(),
  ].map((each) => each.toSorted(byOrder))

/**
 * What is to be sent next, all of one kind and one thing and at most so many; none: nothing is due. What was done goes before its photos, and
 * those before what counts only with them. Nothing overtakes what was done on the same thing before.
 */
export function nextBatch(entries: readonly Entry[], now: number, maxOf: (kind: string) => number): readonly Entry[] {
  const due = waitingByThing(entries).filter(([head]) => head !== undefined && head.notBefore <= now)
  const [first = []] = due.toSorted(([one], [other]) => (one && other ? byOrder(one, other) : 0))
  const [head] = first
  if (!head) return []
  const end = first.findIndex(({ kind, rank, notBefore }) => kind !== head.kind || rank !== head.rank || notBefore > now)
  // What was refused among others goes alone: then it is known which of them it is.
  const max = head.why === null ? maxOf(head.kind) : 1
  return first.slice(0, Math.min(end === -1 ? first.length : end, max))
}

/** When something is due next; null: nothing waits. */
export function nextDue(entries: readonly Entry[]): number | null {
  const heads = waitingByThing(entries).flatMap(([head]) => (head ? [head.notBefore] : []))
  return heads.length === 0 ? null : Math.min(...heads)
}

const firstDelayMs = 2_000
const maxDelayMs = 300_000

/** How long to wait after so many tries in vain. `chance`: 0 to 1, so that phones that came up together do not ask together. */
export const delayMs = (tries: number, chance: number): number =>
  Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(tries, 12)) * (0.75 + 0.25 * chance)

/** The entries after what the server said. An answer that was given anew meanwhile is another, and waits on. */
export function settled(entries: readonly Entry[], outcomes: readonly Outcome[], now: number, chance: number): readonly Entry[] {
  const byId = new Map(outcomes.map((each) => [each.id, each]))
  return entries.map((entry) => {
    const outcome = byId.get(entry.id)
    if (!outcome || outcome.rev !== entry.rev || entry.state !== 'waiting') return entry
    const { became, why = null } = outcome
    if (became !== 'later') return { ...entry, state: became, why }
    return { ...entry, tries: entry.tries + 1, notBefore: now + delayMs(entry.tries, chance), why }
  })
}

/** Everything is due now: the network is back, or somebody asks. */
export const dueNow = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => (entry.state === 'waiting' && entry.notBefore > 0 ? { ...entry, notBefore: 0 } : entry))

/** How much waits here, and what somebody has to look at. */
export interface Counts {
  readonly photos: number
  readonly answers: number
  readonly orders: number
  /** Neither: that a round is finished. */
  readonly others: number
  readonly flagged: number
}

export function countsOf(entries: readonly Pick<Entry, 'kind' | 'state'>[]): Counts {
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const of = (kind: string) => waiting.filter((each) => each.kind === kind).length
  const [photos, answers, orders] = [of('photo'), of('answer'), of('order')]
  return {
    ...{ photos, answers, orders },
    others: waiting.length - photos - answers - orders,
    flagged: entries.filter(({ state }) => state === 'refused' || state === 'conflict').length,
  }
}
