interface Choice<T> {
  readonly chosen: readonly T[]
  /** Chosen, and something stands against it or the server has not said. */
  readonly held: readonly T[]
  /** It is about this one line only, which is not picked from anything. */
  readonly single: boolean
  /** The person wants also those that are held. */
  readonly despite: boolean
}

/** The lines an order goes to. Of one that is held and goes nevertheless the server says all that stands against it, once more. */
export const startingOf = <T>({ chosen, held, single, despite }: Choice<T>): readonly T[] =>
  single || despite ? chosen : chosen.filter((each) => !held.includes(each))
