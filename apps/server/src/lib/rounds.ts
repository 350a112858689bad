/** A turn of a hundred thousand rows is cut short, and the next goes on from there. */
const turnMs = 5_000
const readAtOnce = 500

/** What comes after a number, so many at most. */
interface Part {
  readonly after: number
  readonly limit: number
}

/** Goes through all there are by their numbers: so far as a turn comes, and on from there in the next. */
export function inRounds<T>(read: (part: Part) => Promise<readonly T[]>, numberOf: (row: T) => number) {
  let after = 0
  return async (look: (row: T) => Promise<void>): Promise<void> => {
    const until = performance.now() + turnMs
    do {
      const rows = await read({ after, limit: readAtOnce })
      for (const row of rows) await look(row)
      const last = rows.at(-1)
      after = last === undefined || rows.length < readAtOnce ? 0 : numberOf(last)
    } while (after > 0 && performance.now() < until)
  }
}
