import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import { acknowledgementMs } from '../alarm/index.ts'
import { quantileOf } from './rate.ts'
import type { Verdict } from './targets.ts'

/** How long people took to acknowledge alarms of a priority, in seconds; null: nobody acknowledged one. */
export interface Response {
  readonly priority: Priority
  readonly acknowledged: number
  readonly medianS: number | null
  readonly p90S: number | null
  /** Within which it is to be seen to. */
  readonly limitS: number
  readonly verdict: Verdict
}

const minuteS = 60
/** Within which somebody is to have responded (default); the lesser priorities have no time of their own and share the longest. */
const limitsS: Readonly<Record<Priority, number>> = {
  critical: 30 * minuteS,
  high: 120 * minuteS,
  medium: 480 * minuteS,
  low: (acknowledgementMs.medium ?? 0) / 1000,
}

/** `seconds`: of each priority how often an acknowledgement took so many. */
export const responsesOf = (
  seconds: ReadonlyMap<Priority, readonly (readonly [value: number, times: number])[]>,
): readonly Response[] =>
  priorities.map((priority) => {
    const own = seconds.get(priority) ?? []
    const p90S = quantileOf(own, 0.9)
    return {
      priority,
      acknowledged: own.reduce((sum, [, times]) => sum + times, 0),
      medianS: quantileOf(own, 0.5),
      p90S,
      limitS: limitsS[priority],
      verdict: p90S === null ? 'unknown' : p90S <= limitsS[priority] ? 'met' : 'missed',
    }
  })
