import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import { evidence } from './finding.ts'
import type { LiveChange } from './live-change.ts'

/** A voltage is measured where the single-line diagram has none: back-feed, or what feeds the line is registered wrong (图实不符). */
export const diagramDisagrees = detector({
  key: 'diagram.disagrees',
  label: { zh: '图实不符', en: 'Diagram disagrees' },
  priority: 'medium',
  looks: 1,
  parameters: {
    seconds: parameter('持续时间', 'For', 's', [30, 60, 3600], 'default of ours'),
  },
})
type DiagramParams = Params<typeof diagramDisagrees>

/** What is kept of a bus, Unix ms; null: it is not so. */
export interface DiagramState {
  since: number | null
  agreesSince: number | null
  active: boolean
}

export const newDiagramState = (active: boolean): DiagramState => ({ since: null, agreesSince: null, active })

/**
 * Folds how a bus is found at a moment. `measuredAt`: when the newest voltage was received that disagrees; null: none does. One that was
 * measured before the switches stood as they do says nothing: it counts from the next on.
 */
export function foldDiagram(
  { seconds }: DiagramParams,
  state: DiagramState,
  {
    at,
    measuredAt,
    volts,
    limitV,
  }: { readonly at: number; readonly measuredAt: number | null; readonly volts: number; readonly limitV: number },
): LiveChange | null {
  if (measuredAt === null) {
    state.since = null
    state.agreesSince ??= at
    if (!state.active || at - state.agreesSince < seconds * 1_000) return null
    state.active = false
    return { kind: 'returned', key: diagramDisagrees.key, point: null }
  }
  state.agreesSince = null
  state.since ??= at
  if (state.active || measuredAt - state.since < seconds * 1_000) return null
  state.active = true
  const shown = evidence({ value: volts, limit: limitV, unit: 'V', used: 1 })
  return { kind: 'raised', finding: { key: diagramDisagrees.key, point: null, level: 'warning', evidence: shown } }
}
