import type { Family, Phase, Point, Quantity } from '@linewarden/equipment'

/** A measured point, and where its value stands among those of its line. */
export interface PlacedPoint {
  readonly point: Point
  readonly at: number
}

/** What a line measures in each conductor: a row for each quantity, a column for each phase, and one for what is of all of them. */
export interface PhaseTable {
  readonly columns: readonly (Phase | null)[]
  readonly rows: readonly { readonly quantity: Quantity; readonly cells: readonly (PlacedPoint | null)[] }[]
  /** What has no place in it, but for the residual current, which has a bar of its own. */
  readonly others: readonly PlacedPoint[]
}

const perPhase: readonly Quantity[] = ['voltage', 'current', 'power', 'temperature']
const phases: readonly Phase[] = ['A', 'B', 'C', 'N']

/** The table of a family; of a detector nothing is of a phase, and all of it stands by itself. */
export function phaseTable(family: Family): PhaseTable {
  const all = family.points.map((point, at): PlacedPoint => ({ point, at }))
  const inTable = family.level === 'line' ? all.filter(({ point }) => perPhase.includes(point.quantity)) : []
  const hasPhase = (phase: Phase | null) => inTable.some(({ point }) => (point.phase ?? null) === phase)
  const columns = [...phases, null].filter(hasPhase)
  const rows = perPhase.flatMap((quantity) => {
    const own = inTable.filter(({ point }) => point.quantity === quantity)
    const cells = columns.map((phase) => own.find(({ point }) => (point.phase ?? null) === phase) ?? null)
    return own.length === 0 ? [] : [{ quantity, cells }]
  })
  const placed = new Set(rows.flatMap(({ cells }) => cells))
  const others = all.filter((each) => !placed.has(each) && (family.level === 'device' || each.point.quantity !== 'residual'))
  return { columns, rows, others }
}
