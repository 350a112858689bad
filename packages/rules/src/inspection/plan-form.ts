import { parseDate } from '../automation/civil-time.ts'
import type { Cycle, WindowDays } from './cycle.ts'
import { shortestCycleDays } from './cycle.ts'
import type { ChecklistItem } from './item.ts'
import { cycleMost, windowDaysMost } from './plan.ts'
import type { RoundKind } from './round.ts'

/** A stop as a plan names it: exactly one of the three. */
export type StopPlace =
  | { readonly kind: 'gateway'; readonly gatewayId: number }
  | { readonly kind: 'device'; readonly controllerId: string }
  | { readonly kind: 'place'; readonly place: string }

/** What can be wrong with a plan that somebody writes; each has a text in both languages where it is shown. */
export type PlanProblem =
  | { readonly key: 'plan stop wrong' | 'plan stop twice' | 'plan online place' | 'plan list empty'; readonly stop: number }
  | { readonly key: 'plan item wrong'; readonly item: string }
  | { readonly key: 'plan cycle wrong' | 'plan window wrong'; readonly most: number }
  | { readonly key: 'plan day wrong' }

/** What a round asks for, with or without a plan. */
export interface AsksForm {
  readonly kind: RoundKind
  /** Null: it names none of the three, or several. */
  readonly stops: readonly (StopPlace | null)[]
  readonly ownItems: readonly ChecklistItem[]
}

export function asksProblems({ kind, stops, ownItems }: AsksForm): readonly PlanProblem[] {
  const seen = new Set<string>()
  const ofStops = stops.flatMap((place, at): PlanProblem[] => {
    const stop = at + 1
    if (place === null) return [{ key: 'plan stop wrong', stop }]
    if (kind === 'online' && place.kind === 'place') return [{ key: 'plan online place', stop }]
    const key = JSON.stringify(place)
    if (seen.has(key)) return [{ key: 'plan stop twice', stop }]
    seen.add(key)
    return []
  })
  const ids = new Set<string>()
  const ofItems = ownItems.flatMap((item): PlanProblem[] => {
    const isAgain = ids.has(item.id)
    ids.add(item.id)
    return isAgain || !isSound(item) ? [{ key: 'plan item wrong', item: item.text.zh }] : []
  })
  return [...ofStops, ...ofItems]
}

const isSound = ({ kind, min, max, choices }: ChecklistItem): boolean =>
  kind === 'choice' ? choices.length >= 2 && choices.some(({ ok }) => ok) : min === null || max === null || min <= max

export interface DatesForm {
  readonly cycle: Cycle
  readonly window: WindowDays
  /** `2026-12-01` */
  readonly firstDue: string
}

export function datesProblems({ cycle, window, firstDue }: DatesForm): readonly PlanProblem[] {
  const problems: PlanProblem[] = []
  const most = cycleMost[cycle.unit]
  if (cycle.every < 1 || cycle.every > most) problems.push({ key: 'plan cycle wrong', most })
  const windowMost = Math.min(windowDaysMost, shortestCycleDays(cycle) - 1)
  if (window.before + window.after > windowMost) problems.push({ key: 'plan window wrong', most: windowMost })
  if (parseDate(firstDue) === null) problems.push({ key: 'plan day wrong' })
  return problems
}
