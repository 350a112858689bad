import type { LinkageCondition } from './linkage.ts'

/** What an action of a linkage does, its scenes resolved to lines. `raise` raises the alarm `key` on a line. */
export type LinkageEffect =
  | { readonly kind: 'trip' | 'close'; readonly line: string }
  | { readonly kind: 'raise'; readonly line: string; readonly key: string }

/** A linkage as far as it can cause others. */
export interface LinkedRule {
  readonly linkageId: number
  readonly conditions: readonly Pick<LinkageCondition, 'kind' | 'line' | 'key'>[]
  readonly effects: readonly LinkageEffect[]
}

/** One step of a loop: the linkage, and the line over which it causes the next one. */
export interface LoopStep {
  readonly linkageId: number
  readonly line: string
}

interface Edge {
  readonly from: number
  readonly to: number
  readonly line: string
  readonly closes: boolean
}

/** What operating a line changes, on it and on what it feeds; the first part of a key names the quantity. */
const changedByOperating: ReadonlySet<string> = new Set(['position', 'trip', 'current', 'power', 'powerFactor', 'voltage'])

/**
 * A loop of linkages that contains a close, from its close on: such a set could switch for ever, and is refused with this path. Trips alone end
 * by themselves. The shortest is named. Null: there is none. `feeds`: the lines that a line feeds.
 */
export function findLoop(
  rules: readonly LinkedRule[],
  feeds: ReadonlyMap<string, readonly string[]>,
): readonly LoopStep[] | null {
  const edges = edgesOf(rules, feeds)
  const out = new Map<number, Edge[]>()
  for (const edge of edges) out.set(edge.from, [...(out.get(edge.from) ?? []), edge])
  let shortest: readonly Edge[] | null = null
  for (const close of edges) {
    if (!close.closes) continue
    const back = close.to === close.from ? [] : shortestPath(out, close.to, close.from)
    if (back && (shortest === null || back.length + 1 < shortest.length)) shortest = [close, ...back]
  }
  return shortest?.map(({ from, line }) => ({ linkageId: from, line })) ?? null
}

function edgesOf(rules: readonly LinkedRule[], feeds: ReadonlyMap<string, readonly string[]>): readonly Edge[] {
  const readers = new Map<string, { readonly linkageId: number; readonly condition: LinkedRule['conditions'][number] }[]>()
  for (const { linkageId, conditions } of rules)
    for (const condition of conditions)
      readers.set(condition.line, [...(readers.get(condition.line) ?? []), { linkageId, condition }])
  return rules.flatMap(({ linkageId: from, effects }) =>
    effects.flatMap((effect) => {
      const reached = effect.kind === 'raise' ? [effect.line] : downstream(effect.line, feeds)
      return reached.flatMap((line) =>
        (readers.get(line) ?? [])
          .filter(({ condition }) => changes(effect, condition))
          .map(({ linkageId: to }): Edge => ({ from, to, line: effect.line, closes: effect.kind === 'close' })),
      )
    }),
  )
}

function changes(effect: LinkageEffect, { kind, key }: LinkedRule['conditions'][number]): boolean {
  if (effect.kind === 'raise') return kind === 'alarm' && key === effect.key
  // An alarm can be about any quantity that switching changes.
  if (kind === 'alarm') return true
  return changedByOperating.has(key.split('.')[0] ?? '')
}

/** A line and all that it feeds, over any number of steps. */
function downstream(line: string, feeds: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set([line])
  for (const each of found) for (const fed of feeds.get(each) ?? []) found.add(fed)
  return [...found]
}

function shortestPath(out: ReadonlyMap<number, readonly Edge[]>, from: number, to: number): readonly Edge[] | null {
  const reachedBy = new Map<number, Edge>()
  const queue = [from]
  for (const at of queue) {
    for (const edge of out.get(at) ?? []) {
      if (edge.to === from || reachedBy.has(edge.to)) continue
      reachedBy.set(edge.to, edge)
      queue.push(edge.to)
    }
  }
  const path: Edge[] = []
  for (let at = to; at !== from; ) {
    const edge = reachedBy.get(at)
    if (!edge) return null
    path.unshift(edge)
    at = edge.from
  }
  return path
}
