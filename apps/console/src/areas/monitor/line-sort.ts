import type { DeviceLink, LineState } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, severityOf } from '../../plant/line-condition.ts'
import { columnGroups } from './columns.ts'

/** By what the table is sorted; null: by gateway and line number. */
export interface Sort {
  /** `name`, `position`, `age`, `severity` or a point's key. */
  readonly key: string
  readonly down: boolean
}

interface States {
  line(id: number): LineState | undefined
  deviceLink(controllerId: string): DeviceLink | undefined
}

/** Worst first, so that the first click shows what needs somebody. */
const positions = [
  'tripped',
  'unknown',
  'opening',
  'closing',
  'open',
  'offline',
  ...alarmKinds.map((kind) => `${kind}State`),
  'closed',
  'normal',
]
const severities = [...alarmKinds, null]

/** By what can be sorted: what every line has, and what the table has a column for. */
const sortable: ReadonlySet<string> = new Set([
  'name',
  'position',
  'severity',
  'age',
  ...columnGroups.flatMap(({ columns }) => columns.map(({ key }) => key)),
])

/** `-current.a` is phase A current, largest first. An address that asks for an order that nobody is offered has none. */
export function readSort(text: string | null): Sort | null {
  if (text === null) return null
  const down = text.startsWith('-')
  const key = down ? text.slice(1) : text
  return sortable.has(key) ? { key, down } : null
}

/** Values begin with the largest, words with the first. */
const beginsDown = (key: string): boolean => key !== 'name' && key !== 'position' && key !== 'severity'

/** The order something begins with when it is chosen. */
export const firstSort = (key: string): string => (beginsDown(key) ? `-${key}` : key)

/** Whether it is the other way round than it began. */
export const isTurned = ({ key, down }: Sort): boolean => down !== beginsDown(key)

/** The other way round. */
export const turned = ({ key, down }: Sort): string => (down ? key : `-${key}`)

/** What a click on a column's head makes of the sort: a second click turns it, a third ends it. */
export function nextSort(before: Sort | null, key: string): string | null {
  if (before?.key !== key) return firstSort(key)
  return isTurned(before) ? null : turned(before)
}

/** The lines in the wanted order. What is missing comes last in both directions; equals stay as they were. */
export function sortedLines(lines: readonly LineRef[], sort: Sort | null, states: States): readonly LineRef[] {
  if (sort === null) return lines
  const sign = sort.down ? -1 : 1
  const rankOf = sort.key === 'name' ? nameRanking(lines) : ranking(sort.key, states)
  const ranks = new Float64Array(lines.length)
  const known = new Float64Array(lines.length)
  const missing: LineRef[] = []
  for (const [index, lineRef] of lines.entries()) {
    const rank = rankOf(lineRef)
    ranks[index] = rank === null ? Number.NaN : rank * sign
    if (rank === null) missing.push(lineRef)
    else known[index - missing.length] = rank * sign
  }
  const count = lines.length - missing.length
  // Bare figures are sorted by the browser itself; then each line looks up its place. Comparing pairs of lines took twice as long.
  const sorted = known.subarray(0, count).sort()
  const taken = new Uint32Array(count)
  const ordered: LineRef[] = Array.from(lines)
  for (const [index, lineRef] of lines.entries()) {
    const rank = ranks[index] ?? Number.NaN
    if (Number.isNaN(rank)) continue
    const first = firstPlace(sorted, rank)
    const equals = taken[first] ?? 0
    taken[first] = equals + 1
    ordered[first + equals] = lineRef
  }
  for (const [index, lineRef] of missing.entries()) ordered[count + index] = lineRef
  return ordered
}

/** Where the first figure stands that is no smaller. */
function firstPlace(sorted: Float64Array, rank: number): number {
  let [low, high] = [0, sorted.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < rank) low = middle + 1
    else high = middle
  }
  return low
}

// One collator for all: `localeCompare` makes one for every comparison, which takes seconds for thousands of lines.
const collator = new Intl.Collator('zh-CN', { numeric: true })
/** Which name comes how late, of all lines that were sorted last: part of them, or the other way round, needs no comparing of names. */
let nameRanks: ReadonlyMap<string, number> = new Map()

function nameRanking(lines: readonly LineRef[]): (lineRef: LineRef) => number {
  if (!lines.every(({ line }) => nameRanks.has(line.LineName))) {
    const names = [...new Set(lines.map(({ line }) => line.LineName))].sort(collator.compare)
    let rank = 0
    nameRanks = new Map(
      names.map((name, index) => {
        // Names that are written otherwise and read the same are equals.
        if (index > 0 && collator.compare(names[index - 1] ?? '', name) !== 0) rank += 1
        return [name, rank]
      }),
    )
  }
  return ({ line }) => nameRanks.get(line.LineName) ?? 0
}

/** What a line is sorted by; null where it has no such value. */
function ranking(key: string, states: States): (lineRef: LineRef) => number | null {
  if (key === 'position')
    return ({ line, device, family }) =>
      positions.indexOf(conditionOf(states.line(line.LineID), states.deviceLink(device.ControllerID)?.Link, family))
  if (key === 'severity') return ({ line }) => severities.indexOf(severityOf(states.line(line.LineID)))
  if (key === 'age')
    return ({ line }) => {
      const at = states.line(line.LineID)?.ReceivedAt
      return at == null ? null : -at
    }
  // Where the point stands is the same for all lines of a family.
  const places = new Map<LineRef['family'], number>()
  return ({ line, family }) => {
    let place = places.get(family)
    if (place === undefined) {
      place = family?.points.findIndex((point) => point.key === key) ?? -1
      places.set(family, place)
    }
    return place < 0 ? null : (states.line(line.LineID)?.Values[place] ?? null)
  }
}
