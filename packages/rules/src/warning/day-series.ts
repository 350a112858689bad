import type { Text } from '@linewarden/equipment'
import type { LineKind } from './line-kind.ts'

/** What is kept of a local day of a line, as far as it is drawn. Null is not known. */
export interface ShownDay {
  readonly floorMa: number | null
  readonly i95A: readonly (number | null)[]
  readonly excessK: readonly (number | null)[]
  readonly excessErrorK: readonly (number | null)[]
  readonly unbalancePercent: number | null
  readonly voltageKnownMin: number
  readonly voltageOutsideMin: number
  readonly arcHours: number | null
  readonly tripMs: readonly number[]
}

interface ShownSeries {
  readonly label: Text
  readonly unit: string
  readonly of: (day: ShownDay, kind: LineKind, point: string | null) => number | null
}

const none = (value: number | undefined | null): number | null => value ?? null

/** Squared share of the rated current at a day's usual peak: by it the excess at rated current is that at the line's own load. */
export function loadOfDay({ i95A }: ShownDay, { ratedA, currentPoints }: LineKind, terminal: number): number | null {
  const own = i95A[Math.min(terminal, currentPoints.length - 1)] ?? null
  return own === null || ratedA === null ? null : (own / ratedA) ** 2
}

/** What each daily detector looks at, one figure a day; of those that look at samples there is none. */
const series: Readonly<Record<string, ShownSeries>> = {
  'leakage.step': { label: { zh: '漏电底值', en: 'Residual current, daily floor' }, unit: 'mA', of: ({ floorMa }) => floorMa },
  'leakage.drift': { label: { zh: '漏电底值', en: 'Residual current, daily floor' }, unit: 'mA', of: ({ floorMa }) => floorMa },
  contact: {
    label: { zh: '常用负荷下附加温升', en: 'Excess at the usual peak' },
    unit: 'K',
    of(day, kind, point) {
      const terminal = kind.terminalPoints.indexOf(point ?? '')
      const [excess, load] = [none(day.excessK[terminal]), loadOfDay(day, kind, terminal)]
      return excess === null || load === null ? null : excess * load
    },
  },
  'load.growth': {
    label: { zh: '日高峰电流', en: 'Usual peak of the day' },
    unit: 'A',
    of: ({ i95A }, { currentPoints }, point) => none(i95A[currentPoints.indexOf(point ?? '')]),
  },
  unbalance: {
    label: { zh: '最大不平衡度', en: 'Highest unbalance' },
    unit: '%',
    of: ({ unbalancePercent }) => unbalancePercent,
  },
  'voltage.range': {
    label: { zh: '电压超限时间占比', en: 'Share of time outside' },
    unit: '%',
    of: ({ voltageKnownMin, voltageOutsideMin }) => (voltageKnownMin === 0 ? null : (100 * voltageOutsideMin) / voltageKnownMin),
  },
  'arc.precursor': { label: { zh: '有电弧的小时', en: 'Hours with arcing' }, unit: 'h/d', of: ({ arcHours }) => arcHours },
  'release.slow': {
    label: { zh: '自检脱扣时间', en: 'Release time in tests' },
    unit: 'ms',
    of: ({ tripMs }) => (tripMs.length === 0 ? null : Math.max(...tripMs)),
  },
}

/** The figure a day of a detector; null: it looks at none. */
export const daySeries = (key: string): ShownSeries | null => series[key] ?? null
