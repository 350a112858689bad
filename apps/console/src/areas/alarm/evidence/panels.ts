import type { Evidence } from '@linewarden/contract'
import type { Family, Point, Quantity } from '@linewarden/equipment'

type Copy = NonNullable<Evidence['Copy']>

export interface Trace {
  readonly point: Point
  readonly values: readonly (readonly [at: number, value: number | null])[]
}

/** One quantity on its own axis: its phases, and the levels they are read against. */
export interface Panel {
  readonly quantity: Quantity
  readonly unit: string
  readonly precision: number
  readonly traces: readonly Trace[]
  readonly levels: Copy['Levels']
  readonly low: number
  readonly high: number
}

/** What a counter or a share says of two minutes is nothing. */
const silent: ReadonlySet<Quantity> = new Set(['energy', 'powerFactor', 'count', 'signal', 'battery'])
/** Beside what the alarm is about, in this order. */
const telling: readonly Quantity[] = ['residual', 'current', 'voltage', 'temperature', 'gas', 'smoke', 'arc', 'power']
export const mainPanels = 3

/** The quantities that have values, the one first that the alarm is about. */
export function panelsOf(copy: Copy, family: Family, about: string | null): readonly Panel[] {
  const present = family.points.flatMap((point): Trace[] => {
    const column = copy.Points.indexOf(point.key)
    const values = copy.Rows.map(([at, row]) => [at, row[column] ?? null] as const)
    return column < 0 || values.every(([, value]) => value === null) ? [] : [{ point, values }]
  })
  const own = family.points.find(({ key }) => key === about)?.quantity ?? null
  const rank = (quantity: Quantity) => (quantity === own ? -1 : telling.indexOf(quantity))
  return [...Map.groupBy(present, ({ point }) => point.quantity)]
    .filter(([quantity]) => quantity === own || !silent.has(quantity))
    .map(([quantity, traces]) => panelOf(quantity, traces, copy.Levels))
    .toSorted((a, b) => rank(a.quantity) - rank(b.quantity))
}

function panelOf(quantity: Quantity, traces: readonly Trace[], levels: Copy['Levels']): Panel {
  const keys = new Set(traces.map(({ point }) => point.key))
  const own = levels.filter(({ Points }) => Points.some((key) => keys.has(key)))
  const values = traces.flatMap((trace) => trace.values.flatMap(([, value]) => (value === null ? [] : [value])))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const fromZero = quantity !== 'voltage' && quantity !== 'temperature'
  // A limit far from what was measured would press the curve flat: it is drawn where it is near.
  const reach = Math.max(most - (fromZero ? 0 : least), Math.abs(most) * 0.05, 1e-9)
  const near = own.filter(({ Value }) => Value <= most + reach * 2 && Value >= least - reach * 2)
  const all = [...values, ...near.map(({ Value }) => Value)]
  const low = fromZero ? Math.min(0, ...all) : Math.min(...all)
  const high = Math.max(...all)
  const margin = (high - low || Math.abs(high) || 1) * 0.08
  const [first] = traces
  return {
    quantity,
    unit: first?.point.unit ?? '',
    precision: first?.point.precision ?? 0,
    traces,
    levels: near,
    low: fromZero && low === 0 ? 0 : low - margin,
    high: high + margin,
  }
}

/** The path of a trace; where the line reported nothing it is broken, and where it said nothing of the point. */
export function pathOf(
  { values }: Trace,
  gaps: Copy['Gaps'],
  { x, y }: { readonly x: (at: number) => number; readonly y: (value: number) => number },
): string {
  let before: number | null = null
  let path = ''
  for (const [at, value] of values) {
    if (value === null) {
      before = null
      continue
    }
    const from = before
    const isBroken = from === null || gaps.some(([start, end]) => start >= from && end <= at)
    path += `${isBroken ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    before = at
  }
  return path
}
