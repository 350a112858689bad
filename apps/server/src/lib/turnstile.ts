/** Lets at most so many works be under way at once; the others wait their turn, in order. */
export function turnstile(most: number) {
  let inside = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside < most) inside += 1
    // Whoever leaves hands on their place.
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    }
  }
}
