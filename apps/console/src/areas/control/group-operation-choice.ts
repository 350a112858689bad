interface Choice<T> {
  readonly chosen: readonly T[]
  /** Chosen, and something stands against it or the server has not said. */
  readonly blocked: readonly T[]
  /** It is about this one line only, which is not picked from anything. */
  readonly single: boolean
  /** The person wants also those that are blocked. */
  readonly despite: boolean
}

/** The lines an order goes to. Of one that is blocked and goes nevertheless the server lists all interlocks once more. */
export const startingOf = <T>({ chosen, blocked, single, despite }: Choice<T>): readonly T[] =>
  single || despite ? chosen : chosen.filter((each) => !blocked.includes(each))
