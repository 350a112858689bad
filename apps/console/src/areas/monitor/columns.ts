import { create } from 'zustand'

type Head = 'a' | 'b' | 'c' | 'n' | 'sum' | null

/** One column: a point of the family, by its key. */
export interface Column {
  readonly key: string
  readonly head: Head
  readonly width: string
}

export interface ColumnGroup {
  readonly key: 'current' | 'voltage' | 'power' | 'residual' | 'temperature' | 'powerFactor' | 'energy'
  readonly unit: string
  readonly columns: readonly Column[]
  /** Left out until somebody asks for it. */
  readonly optional?: true
}

/** What stands at the head of a phase's column. */
export const letterOf = (head: Head): string => (head === null ? '' : head === 'sum' ? 'Σ' : head.toUpperCase())

const phases = (key: string, heads: readonly Head[], width: string): Column[] =>
  heads.map((head) => ({ key: `${key}.${head === 'sum' ? 'total' : head}`, head, width }))

/** What the live table can show of a line, in the order it shows it. */
export const columnGroups: readonly ColumnGroup[] = [
  { key: 'current', unit: 'A', columns: phases('current', ['a', 'b', 'c'], 'minmax(46px, 1fr)') },
  { key: 'voltage', unit: 'V', columns: phases('voltage', ['a', 'b', 'c'], 'minmax(48px, 1fr)') },
  { key: 'power', unit: 'kW', columns: phases('power', ['a', 'b', 'c', 'sum'], 'minmax(47px, 1fr)') },
  { key: 'residual', unit: 'mA', columns: [{ key: 'residual', head: null, width: '136px' }] },
  { key: 'temperature', unit: '°C', columns: phases('temperature', ['a', 'b', 'c', 'n'], 'minmax(44px, 1fr)') },
  { key: 'powerFactor', unit: '', columns: [{ key: 'powerFactor', head: null, width: '62px' }] },
  { key: 'energy', unit: 'kWh', columns: [{ key: 'energy', head: null, width: 'minmax(84px, 1fr)' }], optional: true },
]

export type GroupKey = ColumnGroup['key']

const storageKey = 'linewarden.columns'

/** The groups that are left out, of those whose showing somebody has changed. */
export const hiddenBy = (changed: readonly string[]): readonly GroupKey[] =>
  columnGroups.filter(({ key, optional = false }) => changed.includes(key) !== optional).map(({ key }) => key)

/** Groups a person does not want to see, on this device. */
export const useHiddenColumns = create<{ changed: readonly string[]; hidden: readonly string[] }>(() => stateOf(read()))

export function toggleColumns(key: GroupKey): void {
  const { changed } = useHiddenColumns.getState()
  const after = changed.includes(key) ? changed.filter((each) => each !== key) : [...changed, key]
  localStorage.setItem(storageKey, JSON.stringify(after))
  useHiddenColumns.setState(stateOf(after))
}

/** The grid of a row: name, position, the shown groups, age. */
export const gridOf = (groups: readonly ColumnGroup[]): string =>
  ['minmax(164px, 1.6fr)', '102px', ...groups.flatMap(({ columns }) => columns.map(({ width }) => width)), '80px'].join(' ')

/** The least width at which nothing is cut. */
export const widthOf = (groups: readonly ColumnGroup[]): number =>
  346 + groups.flatMap(({ columns }) => columns).reduce((sum, { width }) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), 0)

function stateOf(changed: readonly string[]) {
  return { changed, hidden: hiddenBy(changed) }
}

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
  } catch {
    return []
  }
}
