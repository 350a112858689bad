/** A die that falls the same way for the same seed: what went wrong once can be brought about again. */
export interface Random {
  /** From 0 to below `most`. */
  below(most: number): number
  of<T>(values: readonly [T, ...T[]]): T
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(next() * most)
  return { below, of: (values) => values[below(values.length)] ?? values[0] }
}
