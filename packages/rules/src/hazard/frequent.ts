import { minForShares } from './targets.ts'

/** So many of the most frequent are listed. */
export const maxFrequent = 10

/** One of a Pareto: how often, and which share of all it makes together with those before it; null: too few for shares. */
export interface Ranked<T> {
  readonly of: T
  readonly count: number
  readonly share: number | null
  readonly cumulated: number | null
}

/**
 * The most frequent ones, worst first; of equal ones the one that came first. `total`: of all, where these are but the most frequent of them.
 */
export function rank<T>(
  counted: Iterable<readonly [of: T, count: number]>,
  { most = maxFrequent, total: ofAll }: { readonly most?: number; readonly total?: number } = {},
): Ranked<T>[] {
  const all = [...counted].filter(([, count]) => count > 0)
  const total = ofAll ?? all.reduce((sum, [, count]) => sum + count, 0)
  const share = (count: number) => (total < minForShares ? null : count / total)
  let sum = 0
  return all
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([of, count]) => {
      sum += count
      return { of, count, share: share(count), cumulated: share(sum) }
    })
}

/** A change in percent of what it was before; null: too few for that. */
export const changeOf = (now: number, before: number): number | null =>
  now < minForShares || before < minForShares ? null : now / before - 1
