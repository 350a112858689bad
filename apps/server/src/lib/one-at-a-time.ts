/** What is under way for each key; a key is gone when nothing is. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Runs works of one key one after the other. Tries at a secret are counted between asking whether one more is allowed and noting that it
 * failed: without this a hundred at once would all be allowed.
 */
export function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(key, mine)
  const done = () => {
    if (turns.get(key) === mine) turns.delete(key)
  }
  mine.then(done, done)
  return mine
}
