import type { BalanceChild, BalanceLine, EnergyBalance } from '@linewarden/contract'

/** A row of the tree of feeds: a line that feeds others, or one that feeds none. */
export type BalanceRow =
  | { readonly kind: 'feeder'; readonly line: BalanceLine; readonly depth: number; readonly hasRows: boolean }
  | { readonly kind: 'line'; readonly child: BalanceChild; readonly feeder: BalanceLine; readonly depth: number }
  | { readonly kind: 'more'; readonly feeder: BalanceLine; readonly depth: number }

export const filters = ['all', 'beyond', 'unknown'] as const
export type BalanceFilter = (typeof filters)[number]

const isBeyond = ({ Verdict }: BalanceLine): boolean => Verdict === 'partsAboveWhole' || Verdict === 'unmetered'

export const passes = (filter: BalanceFilter, line: BalanceLine): boolean =>
  filter === 'all' || (filter === 'beyond' ? isBeyond(line) : line.Verdict === 'unknown')

/** Those that are open at first: whatever is beyond its error, and the way there. */
export function openAtFirst({ Lines }: Pick<EnergyBalance, 'Lines'>): ReadonlySet<number> {
  const tree = treeOf(Lines)
  const open = new Set<number>()
  for (const line of Lines) {
    if (!isBeyond(line)) continue
    for (let id: number | null = line.LineID; id !== null && !open.has(id); id = tree.feederOf.get(id) ?? null) open.add(id)
  }
  return open
}

interface Tree {
  readonly top: readonly BalanceLine[]
  readonly fed: ReadonlyMap<number, readonly BalanceLine[]>
  readonly feederOf: ReadonlyMap<number, number>
  /** The place of the worst of a line and all below it. */
  readonly rank: ReadonlyMap<number, number>
}

/** Each feeder below the one that feeds it last; those of a circle, which no date has, stand at the top. */
function treeOf(lines: readonly BalanceLine[]): Tree {
  const byId = new Map(lines.map((line) => [line.LineID, line]))
  const feederOf = new Map<number, number>()
  for (const { LineID, Feeder } of lines) {
    if (Feeder === null || !byId.has(Feeder)) continue
    const above = new Set([LineID])
    for (let id: number | undefined = Feeder; id !== undefined && !above.has(id); id = feederOf.get(id)) above.add(id)
    const top = [...above].at(-1) ?? Feeder
    if (feederOf.get(top) === undefined && top !== LineID) feederOf.set(LineID, Feeder)
  }
  const rank = new Map(lines.map(({ LineID }, place) => [LineID, place]))
  for (const [place, { LineID }] of lines.entries())
    for (let id = feederOf.get(LineID); id !== undefined; id = feederOf.get(id))
      rank.set(id, Math.min(place, rank.get(id) ?? place))
  const fed = new Map<number, BalanceLine[]>()
  for (const line of lines) {
    const feeder = feederOf.get(line.LineID)
    if (feeder !== undefined) fed.set(feeder, [...(fed.get(feeder) ?? []), line])
  }
  return { top: lines.filter(({ LineID }) => !feederOf.has(LineID)), fed, feederOf, rank }
}

/** The rows as they stand below each other. Filtered, a feeder stands below another one only where that is shown, too, and open; each stands once. */
export function rowsOf(
  lines: readonly BalanceLine[],
  {
    filter,
    order,
    open,
  }: { readonly filter: BalanceFilter; readonly order: 'worst' | 'name'; readonly open: ReadonlySet<number> },
): readonly BalanceRow[] {
  const { top, fed, feederOf, rank } = treeOf(lines)
  const shown = new Map(lines.filter((line) => passes(filter, line)).map((line) => [line.LineID, line]))
  const sorted = (own: readonly BalanceLine[]) =>
    own.toSorted((one, other) =>
      order === 'name'
        ? one.Name.localeCompare(other.Name, undefined, { numeric: true })
        : (rank.get(one.LineID) ?? 0) - (rank.get(other.LineID) ?? 0),
    )
  const rows: BalanceRow[] = []
  const add = (line: BalanceLine, depth: number) => {
    rows.push({ kind: 'feeder', line, depth, hasRows: line.Children.length > 0 })
    if (!open.has(line.LineID)) return
    const below = sorted((fed.get(line.LineID) ?? []).filter(({ LineID }) => shown.has(LineID)))
    for (const each of below) add(each, depth + 1)
    const feeders = new Set(below.map(({ LineID }) => LineID))
    for (const child of line.Children)
      if (!feeders.has(child.LineID)) rows.push({ kind: 'line', child, feeder: line, depth: depth + 1 })
    if (line.More > 0) rows.push({ kind: 'more', feeder: line, depth: depth + 1 })
  }
  const isBelow = ({ LineID }: BalanceLine) => {
    const feeder = feederOf.get(LineID)
    return feeder !== undefined && shown.has(feeder) && open.has(feeder)
  }
  const atTop = [...shown.values()].filter((line) => !isBelow(line))
  for (const line of sorted(filter === 'all' ? top : atTop)) add(line, 0)
  return rows
}

/** How much of its energy is left, 0.04 is 4 %; null: not known, or it used nothing. */
export const restShare = ({ Wh, RestWh }: { readonly Wh: number | null; readonly RestWh: number | null }): number | null =>
  Wh === null || RestWh === null || Wh <= 0 ? null : RestWh / Wh

/** With a sign where it is below nought, and not only by what is not shown. */
export function shareText(share: number | null): string {
  if (share === null) return '–'
  const tenths = Math.round(share * 1_000)
  return `${tenths < 0 ? '−' : ''}${Math.abs(tenths / 10).toFixed(1)} %`
}
