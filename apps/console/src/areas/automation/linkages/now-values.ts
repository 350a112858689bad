import type { LineState } from '@linewarden/contract'
import type { Truth } from '@linewarden/rules/automation'
import { combine, meets } from '@linewarden/rules/automation'
import type { LineRef } from '../../../plant/equipment.ts'
import type { ConditionValues, LinkageValues } from './form-values.ts'
import { numberIn } from './form-values.ts'

/** What a line says now of a point, a state, an alarm or its link; null: that is not known, or too old to be relied on. */
export function valueNow({ family }: LineRef, state: LineState | undefined, kind: string, key: string): number | null {
  if (!state || state.Quality === 'missing') return null
  if (kind === 'link') return state.Quality === 'stale' ? 0 : 1
  if (state.Quality !== 'good') return null
  if (kind === 'point') {
    const slot = family?.points.find((each) => each.key === key)?.slot
    return slot === undefined ? null : (state.Values[slot] ?? null)
  }
  if (kind === 'state') {
    const code = family?.states.find((each) => each.key === key)?.values.findIndex((each) => each.key === state.States[key]) ?? -1
    return code < 0 ? null : code
  }
  const [alarm, point] = key.split('@')
  return state.Active.some((each) => each.Key === alarm && (point === undefined || each.Point === point)) ? 1 : 0
}

/** Whether a value meets a condition that was not met before; how long it has is not asked. */
export function truthNow({ Op, Value }: Pick<ConditionValues, 'Op' | 'Value'>, value: number | null): Truth {
  const limit = numberIn(Value)
  return value === null || limit === null ? 'unknown' : meets({ op: Op, value: limit, release: 0 }, false, value)
}

/** Whether all conditions together are met at this moment. */
export function linkageNow(
  { Conditions, Match }: Pick<LinkageValues, 'Conditions' | 'Match'>,
  lines: readonly LineRef[],
  stateOf: (lineId: number) => LineState | undefined,
): Truth {
  const truths = Conditions.map((each): Truth => {
    const start = lines.find(({ line }) => String(line.LineID) === each.LineID)
    const [kind = '', ...key] = each.source.split(' ')
    return start ? truthNow(each, valueNow(start, stateOf(start.line.LineID), kind, key.join(' '))) : 'unknown'
  })
  return combine(Match, truths)
}
