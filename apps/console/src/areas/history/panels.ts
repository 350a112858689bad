import type { HistorySeries, LineDetails } from '@linewarden/contract'
import type { Quantity } from '@linewarden/equipment'
import { levelsOf } from '@linewarden/rules/alarm'
import { effectiveIn } from '../../plant/effective.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import { common } from './stretches.ts'
import type { ChosenPoint } from './subject.ts'

/** A point with its values, and those of the period before. */
export interface Drawn {
  readonly chosen: ChosenPoint
  readonly series: HistorySeries
  readonly previous: HistorySeries | null
  /** A colour token. */
  readonly colour: string
}

export interface Limit {
  readonly value: number
  readonly name: string
  readonly isAlarm: boolean
}

/** Everything of one quantity: one panel of the picture. */
export interface Panel {
  readonly quantity: Quantity
  readonly unit: string
  readonly drawn: readonly Drawn[]
  readonly limits: readonly Limit[]
  /** Where none of its points has data. */
  readonly gaps: readonly (readonly [number, number])[]
}

const phaseColours: Readonly<Record<string, string>> = { A: '--ph-a', B: '--ph-b', C: '--ph-c', N: '--neutral' }
/** For points that a phase does not tell apart; none of them means a state. */
const otherColours = ['--data-1', '--ph-b', '--neutral', '--ph-a', '--ph-c', '--data-3', '--ink-3', '--iec-a'] as const

/** The panels of a picture, in the order in which their quantities were chosen. */
export function panelsOf(
  chosen: readonly ChosenPoint[],
  series: readonly HistorySeries[],
  previous: readonly HistorySeries[],
  settings: ReadonlyMap<number, LineDetails['Settings']>,
): Panel[] {
  const groups = Map.groupBy(chosen, ({ point }) => point.quantity)
  return [...groups].flatMap(([quantity, own]) => {
    const phases = own.map(({ point }) => point.phase)
    const byPhase = new Set(phases).size === own.length
    const drawn = own.flatMap((each, index): Drawn[] => {
      const found = seriesOf(series, each)
      const colour = byPhase ? (phaseColours[each.point.phase ?? ''] ?? '--ink-2') : (otherColours[index] ?? '--ink-2')
      return found ? [{ chosen: each, series: found, previous: seriesOf(previous, each), colour }] : []
    })
    if (drawn.length === 0) return []
    const gaps = drawn.map((each) => each.series.Gaps).reduce(common)
    return [{ quantity, unit: own[0]?.point.unit ?? '', drawn, limits: limitsOf(own, settings), gaps }]
  })
}

const seriesOf = (series: readonly HistorySeries[], { lineRef, point }: ChosenPoint): HistorySeries | null =>
  series.find(({ LineID, Point }) => LineID === lineRef.line.LineID && Point === point.key) ?? null

/** The lines whose limits are drawn. */
export const linesWithLimits = (chosen: readonly ChosenPoint[]): LineRef[] => [
  ...new Set([...Map.groupBy(chosen, ({ point }) => point.quantity).values()].flatMap((own) => lineOf(own) ?? [])),
]

/** The one line that a panel is of; limits of several lines would not say whose they are. */
function lineOf([first, ...rest]: readonly ChosenPoint[]): LineRef | null {
  const isOne = rest.every(({ lineRef }) => lineRef.line.LineID === first?.lineRef.line.LineID)
  return first && isOne ? first.lineRef : null
}

function limitsOf(own: readonly ChosenPoint[], settings: ReadonlyMap<number, LineDetails['Settings']>): Limit[] {
  const lineRef = lineOf(own)
  const lineSettings = lineRef && settings.get(lineRef.line.LineID)
  if (!lineSettings) return []
  if (!lineRef.family) return []
  return levelsOf(lineRef.family, effectiveIn(lineSettings))
    .filter(({ points }) => own.some(({ point }) => points.includes(point.key)))
    .map(({ value, label, kind }) => ({ value, name: localised(label), isAlarm: kind === 'alarm' }))
}
