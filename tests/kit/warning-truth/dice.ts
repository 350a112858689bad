import { randomOf } from '../random.ts'

/** Draws that fall the same way for the same seed. */
export interface Dice {
  between(from: number, to: number): number
  chance(probability: number): boolean
  /** Of a normal distribution of mean 0 and deviation 1. */
  normal(): number
  /** How often something happened that happens this often on average. */
  poisson(mean: number): number
  of<T>(values: readonly [T, ...T[]]): T
}

const steps = 2 ** 32

export function diceOf(seed: number): Dice {
  const random = randomOf(seed)
  const uniform = () => random.below(steps) / steps
  let spare: number | null = null
  /** Marsaglia's polar method: two at a time. */
  const normal = (): number => {
    if (spare !== null) {
      const kept = spare
      spare = null
      return kept
    }
    for (;;) {
      const [x, y] = [2 * uniform() - 1, 2 * uniform() - 1]
      const square = x * x + y * y
      if (square >= 1 || square === 0) continue
      const factor = Math.sqrt((-2 * Math.log(square)) / square)
      spare = y * factor
      return x * factor
    }
  }
  const poisson = (mean: number): number => {
    let count = 0
    for (let left = Math.exp(-mean), product = uniform(); product > left; product *= uniform()) count++
    return count
  }
  return {
    between: (from, to) => from + (to - from) * uniform(),
    chance: (probability) => uniform() < probability,
    normal,
    poisson,
    of: (values) => random.of(values),
  }
}

/** A value that keeps a part of what it was: weather, humidity, what people do. Of mean 0 and deviation 1. */
export function wandering(dice: Dice, kept: number): () => number {
  let value = dice.normal()
  const fresh = Math.sqrt(1 - kept ** 2)
  return () => {
    value = kept * value + fresh * dice.normal()
    return value
  }
}
