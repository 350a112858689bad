import type { HealthItem } from './categories.ts'

type Compared = Pick<HealthItem, 'key' | 'deduct' | 'text'>

/** What is new since the last check, or costs more than then, and what is gone. */
export function compareItems<T extends Compared>(
  now: readonly T[],
  before: readonly T[],
): { readonly worse: ReadonlySet<string>; readonly gone: readonly T[] } {
  const then = new Map(before.map((item) => [item.key, item]))
  const keys = new Set(now.map(({ key }) => key))
  return {
    worse: new Set(now.flatMap(({ key, deduct }) => (deduct > (then.get(key)?.deduct ?? 0) ? key : []))),
    gone: before.filter(({ key }) => !keys.has(key)),
  }
}
