import type { Entry } from './entry.ts'

/** What a person did, to be kept and sent. */
export interface Act {
  readonly id: string
  readonly thing: string
  readonly kind: string
  readonly rank: Entry['rank']
  readonly body: unknown
  /** Given what it was before, as it lies here now: what two presses change of one answer is both kept. */
  readonly over?: (former: unknown) => unknown
  /** The server is known to have this revision of it. */
  readonly afterRev?: number
}

/** Each act at the end; one that is given anew takes the place of the former. */
export function withActs(entries: readonly Entry[], acts: readonly Act[], now: number): readonly Entry[] {
  let seq = Math.max(0, ...entries.map((each) => each.seq))
  return acts.reduce((before, { id, thing, kind, rank, body, over, afterRev = 0 }) => {
    const former = before.find((each) => each.id === id)
    seq += 1
    const entry: Entry = {
      ...{ id, thing, kind, rank, seq },
      body: former && over && former.rev >= afterRev ? over(former.body) : body,
      rev: Math.max(former?.rev ?? 0, afterRev) + 1,
      ...{ madeAt: now, state: 'waiting', tries: 0, notBefore: 0, why: null },
    }
    return [...before.filter((each) => each.id !== id), entry]
  }, entries)
}

/** The same in the place of one that the server did not take; unchanged where that is here no more. */
export const withActsInstead =
  (of: string): typeof withActs =>
  (entries, acts, now) => {
    const refused = entries.find(({ id, state }) => id === of && state === 'refused')
    return refused
      ? withActs(
          entries.filter((each) => each !== refused),
          acts,
          now,
        )
      : entries
  }

/** What the server did not take waits once more, as it is: what stood against it may be over. Whatever else is here stays. */
export const withAgain = (entries: readonly Entry[], id: string): readonly Entry[] =>
  entries.map((each) =>
    each.id === id && each.state === 'refused' ? { ...each, state: 'waiting', tries: 0, notBefore: 0, why: null } : each,
  )
