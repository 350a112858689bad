import type { Sort } from '@linewarden/contract'

/** What a list that is held in memory can be ordered by; null: not known, at the end whichever way the list goes. */
export type Keys<T, K extends string> = { readonly [key in K]: (item: T) => string | number | null }

/**
 * The order somebody asked for (`Name`, or `-Name` for downwards). Items that are alike stay in the order they come in, read from the end
 * when it goes downwards; without an order all do.
 */
export function inOrder<T, K extends string>(items: readonly T[], sort: Sort<K> | undefined, keys: Keys<T, K>): readonly T[] {
  if (sort === undefined) return items
  const down = sort.startsWith('-')
  const key = keys[(down ? sort.slice(1) : sort) as K]
  const values = items.map(key)
  const texts = values.filter((value) => typeof value === 'string')
  const rankOf = texts.length > 0 ? names.ranksOf(texts) : null
  const known: { readonly item: T; readonly rank: number }[] = []
  const missing: T[] = []
  for (const [index, item] of items.entries()) {
    const value = values[index] ?? null
    if (value === null) missing.push(item)
    else known.push({ item, rank: typeof value === 'number' ? value : (rankOf?.get(value) ?? 0) })
  }
  known.sort((a, b) => a.rank - b.rank)
  if (down) known.reverse()
  return [...known.map(({ item }) => item), ...missing]
}

/**
 * The place of each name among all that were ever asked for. Comparing names as people do takes a microsecond: for the names of a large plant
 * that is done once, and not for each page of each list.
 */
class Names {
  // As the database's collation `natural`, and as the live table of the console.
  readonly #compare = new Intl.Collator('zh-CN', { numeric: true }).compare
  #ranks = new Map<string, number>()

  ranksOf(texts: readonly string[]): ReadonlyMap<string, number> {
    const fresh = [...new Set(texts.filter((text) => !this.#ranks.has(text)))]
    if (fresh.length === 0) return this.#ranks
    // Names that are no more are forgotten when there are too many of them. A map keeps its order, so the known ones are in order.
    const wanted = this.#ranks.size > maxNames ? new Set(texts) : this.#ranks
    const known = [...this.#ranks.keys()].filter((text) => wanted.has(text))
    const merged = merge(known, fresh.sort(this.#compare), this.#compare)
    this.#ranks = new Map()
    let rank = 0
    let before: string | null = null
    for (const text of merged) {
      // Two spellings of the same place are alike, not one before the other.
      if (before !== null && this.#compare(before, text) !== 0) rank += 1
      this.#ranks.set(text, rank)
      before = text
    }
    return this.#ranks
  }
}

const maxNames = 500_000

/** Two ordered lists as one. Few into many: each finds its place by halving. */
function merge(many: readonly string[], few: readonly string[], compare: (a: string, b: string) => number): string[] {
  const out: string[] = []
  let from = 0
  for (const text of few) {
    let low = from
    let high = many.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(many[middle] ?? '', text) <= 0) low = middle + 1
      else high = middle
    }
    for (; from < low; from += 1) out.push(many[from] ?? '')
    out.push(text)
  }
  for (; from < many.length; from += 1) out.push(many[from] ?? '')
  return out
}

const names = new Names()
