import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'

export const hazardStates = ['open', 'ordered', 'verifying', 'gone', 'accepted'] as const
export type HazardState = (typeof hazardStates)[number]

export const hazardSources = ['alarm', 'finding', 'selfTest', 'patrol', 'exam', 'person'] as const
export type HazardSource = (typeof hazardSources)[number]

/** What happens to a hazard; its history is made of these. */
export const hazardActs = ['found', 'seen', 'graver', 'order', 'accept', 'expire', 'verified'] as const
export type HazardAct = (typeof hazardActs)[number]

/** Nobody runs with a hazard for longer without deciding it again. */
export const maxRiskDays = 180

/** Whether an administrator may accept a hazard of this state: one that somebody works on is not put aside. */
export const isAcceptable = (state: HazardState): boolean => state === 'open' || state === 'accepted'

/** Whether the first weighs more than the second. */
export const isGraver = (level: Priority, than: Priority): boolean => priorities.indexOf(level) < priorities.indexOf(than)

/** From so many points on what a health check found is a hazard. */
export const hazardPoints = 8
const highPoints = 15

/** An overdue order stands for a hazard that is known already. */
const noHazards: readonly string[] = ['orders']

/**
 * What a deduction of a health check is as a hazard; null: none. What an alarm or a finding shows too is the same hazard, so that it is counted
 * up instead of being found twice.
 */
export function hazardOfDeduction({
  key,
  deduct,
}: {
  readonly key: string
  readonly deduct: number
}): { readonly key: string; readonly level: Priority } | null {
  if (deduct < hazardPoints || noHazards.includes(key)) return null
  const level = deduct >= highPoints ? 'high' : 'medium'
  if (key === 'selfTest') return { key: level === 'high' ? selfTestKeys.failed : selfTestKeys.overdue, level }
  if (key === 'finding.contact') return { key: 'contact', level }
  if (key.startsWith('alarms:')) return { key: key.slice('alarms:'.length), level }
  return { key: `exam.${key}`, level }
}

/** A self-test that failed is the alarm of the same name; one that is overdue has none. */
export const selfTestKeys = { failed: 'selfTest.failed', overdue: 'selfTest.overdue' } as const
