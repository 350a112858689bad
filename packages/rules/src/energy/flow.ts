/** Lines of one picture at most; the smallest of more are put together. */
export const maxFlowLines = 200

/** So much of a line's energy came from another line; `from` null: from the supply. */
export interface FlowFeed {
  readonly from: number | null
  readonly to: number
  readonly wh: number
}

/** What a line that feeds others measured while it fed any. */
export interface FlowFeeder {
  readonly fedWh: number
  /** All of it, and all that it fed, is known. */
  readonly isKnown: boolean
}

/** `others`: lines of one feeder put together; `rest`: not metered by any of them; `notKnown`: where it went is not known. */
export type FlowNode =
  | { readonly kind: 'whole' | 'rest' | 'notKnown'; readonly wh: number }
  | { readonly kind: 'line'; readonly lineId: number; readonly wh: number; readonly aboveWh: number }
  | { readonly kind: 'others'; readonly lines: number; readonly wh: number }

/** Between two nodes by their places, Wh, above 0. */
export interface FlowLink {
  readonly from: number
  readonly to: number
  readonly wh: number
}

/** Where energy goes. What comes into a line is what goes out of it, where lines go out at all; but of one whose parts are above it (`aboveWh`). */
export interface Flow {
  readonly nodes: readonly FlowNode[]
  readonly links: readonly FlowLink[]
}

/** From the supply through lines that feed others to the last ones, and what is left at each. Links never go round. */
export function flowOf(
  feeds: readonly FlowFeed[],
  feeders: ReadonlyMap<number, FlowFeeder>,
  maxLines: number = maxFlowLines,
): Flow {
  const whOf = sums(feeds, ({ to }) => to)
  const shown = linesShown(feeds, whOf, maxLines)
  const draft = new Draft()
  const whole = draft.node({ kind: 'whole', wh: 0 })
  for (const lineId of shown) draft.lines.set(lineId, draft.node({ kind: 'line', lineId, wh: whOf.get(lineId) ?? 0, aboveWh: 0 }))
  // The largest first: where lines fed each other on different dates, the smaller way is the one that is not drawn.
  for (const { from, to, wh } of feeds.toSorted((one, other) => other.wh - one.wh)) {
    const source = from === null ? whole : draft.lines.get(from)
    const target = draft.lines.get(to)
    if (source === undefined) continue
    if (target === undefined || draft.reaches(target, source)) draft.others(source, wh)
    else draft.link(source, target, wh)
  }
  const parts = sums(
    feeds.filter(({ from }) => from !== null),
    ({ from }) => from ?? 0,
  )
  for (const [lineId, { fedWh, isKnown }] of feeders) {
    const source = draft.lines.get(lineId)
    if (source !== undefined) draft.rest(source, { wh: whOf.get(lineId) ?? 0, parts: parts.get(lineId) ?? 0, fedWh, isKnown })
  }
  return draft.flow(feeds.reduce((sum, { from, wh }) => sum + (from === null ? wh : 0), 0))
}

function sums(feeds: readonly FlowFeed[], keyOf: (feed: FlowFeed) => number): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const feed of feeds) found.set(keyOf(feed), (found.get(keyOf(feed)) ?? 0) + feed.wh)
  return found
}

/** The largest lines, in the order of their numbers. What feeds one of them is one of them, too. */
function linesShown(feeds: readonly FlowFeed[], whOf: ReadonlyMap<number, number>, maxLines: number): readonly number[] {
  const lines = [...whOf.keys()].sort((one, other) => one - other)
  if (lines.length <= maxLines) return lines
  const feedersOf = new Map<number, number[]>()
  for (const { from, to } of feeds) if (from !== null) feedersOf.set(to, [...(feedersOf.get(to) ?? []), from])
  const shown = new Set<number>()
  for (const lineId of lines.toSorted((one, other) => (whOf.get(other) ?? 0) - (whOf.get(one) ?? 0))) {
    const way = new Set([lineId])
    for (const each of way) for (const feeder of feedersOf.get(each) ?? []) if (!shown.has(feeder)) way.add(feeder)
    if (shown.has(lineId)) continue
    if (shown.size + way.size <= maxLines) for (const each of way) shown.add(each)
  }
  return lines.filter((lineId) => shown.has(lineId))
}

/** A picture that is being made. */
class Draft {
  readonly lines = new Map<number, number>()
  readonly #nodes: FlowNode[] = []
  readonly #links = new Map<string, FlowLink>()
  readonly #out = new Map<number, number[]>()
  readonly #others = new Map<number, number>()
  readonly #ends = new Map<'rest' | 'notKnown', number>()

  node(node: FlowNode): number {
    return this.#nodes.push(node) - 1
  }

  link(from: number, to: number, wh: number): void {
    if (wh <= 0) return
    const key = `${from} ${to}`
    if (!this.#links.has(key)) this.#out.set(from, [...(this.#out.get(from) ?? []), to])
    this.#links.set(key, { from, to, wh: (this.#links.get(key)?.wh ?? 0) + wh })
  }

  others(from: number, wh: number): void {
    const place = this.#others.get(from) ?? this.node({ kind: 'others', lines: 0, wh: 0 })
    this.#others.set(from, place)
    const node = this.#nodes[place]
    if (node?.kind === 'others') this.#nodes[place] = { ...node, lines: node.lines + 1, wh: node.wh + wh }
    this.link(from, place, wh)
  }

  /** What a line measured and those it fed did not. */
  rest(
    from: number,
    {
      wh,
      parts,
      fedWh,
      isKnown,
    }: { readonly wh: number; readonly parts: number; readonly fedWh: number; readonly isKnown: boolean },
  ): void {
    if (isKnown) this.#end('rest', from, fedWh - parts)
    this.#end('notKnown', from, wh - (isKnown ? fedWh : parts))
    const node = this.#nodes[from]
    if (node?.kind === 'line') this.#nodes[from] = { ...node, aboveWh: Math.max(0, parts - (isKnown ? fedWh : wh)) }
  }

  #end(kind: 'rest' | 'notKnown', from: number, wh: number): void {
    if (wh <= 0) return
    const place = this.#ends.get(kind) ?? this.node({ kind, wh: 0 })
    this.#ends.set(kind, place)
    this.#nodes[place] = { kind, wh: (this.#nodes[place]?.wh ?? 0) + wh }
    this.link(from, place, wh)
  }

  /** Whether what goes into one node comes to the other. */
  reaches(from: number, to: number): boolean {
    const passed = new Set([from])
    for (const each of passed) for (const next of this.#out.get(each) ?? []) passed.add(next)
    return passed.has(to)
  }

  flow(wholeWh: number): Flow {
    const nodes = this.#nodes.map((node) => (node.kind === 'whole' ? { ...node, wh: wholeWh } : node))
    return { nodes, links: [...this.#links.values()] }
  }
}
