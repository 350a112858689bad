import { minuteMs } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import { evidence } from './finding.ts'
import type { LiveChange } from './live-change.ts'
import type { Persistence } from './persistence.ts'
import { newPersistence, persist } from './persistence.ts'

/** A line carries more than it is set for, for minutes and not for the start of a motor. */
export const overcurrent = detector({
  key: 'overcurrent',
  label: { zh: '过流', en: 'Overcurrent' },
  priority: 'medium',
  looks: 1,
  parameters: {
    minutes: parameter('持续时间', 'Lasts', 'min', [1, 10, 120], 'specification 9: 10 min'),
    release: parameter('返回系数', 'Returns at', '×', [0.8, 0.95, 0.99], 'default of ours'),
  },
})
type OvercurrentParams = Params<typeof overcurrent>

const returnMs = minuteMs

/** Folds the current of one phase, A; NaN says nothing. The limit is `overload.alarm`, else the rated current. */
export function foldOvercurrent(
  params: OvercurrentParams,
  state: Persistence,
  { at, amperes }: { readonly at: number; readonly amperes: number },
  { limitA, point, periodMs }: { readonly limitA: number; readonly point: string; readonly periodMs: number },
): LiveChange | null {
  if (Number.isNaN(amperes)) return null
  const verdict = { bad: amperes > limitA, good: amperes <= params.release * limitA }
  const change = persist(state, verdict, at, { onMs: params.minutes * minuteMs, offMs: returnMs, periodMs })
  if (change === null) return null
  if (change === 'returned') return { kind: 'returned', key: overcurrent.key, point }
  const shown = evidence({ value: amperes, limit: limitA, unit: 'A', used: 1 })
  return { kind: 'raised', finding: { key: overcurrent.key, point, level: 'warning', evidence: shown } }
}

export const newOvercurrentState = newPersistence
