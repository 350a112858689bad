import type { TimerDay } from '@linewarden/contract'
import type { DayHour } from './day-hours.ts'

export type DayItem = TimerDay['Items'][number]

/** Done as it was meant; not so, or due and not claimed; still to come; left out on purpose, or to come and not for all lines. */
export type DayState = 'done' | 'amiss' | 'coming' | 'troubled'

/** How an action of a day stands. A run that goes on is still to come: how it ends is not known. */
export function stateOf({ Run, Overdue, Skip, Foreseen }: Pick<DayItem, 'Run' | 'Overdue' | 'Skip' | 'Foreseen'>): DayState {
  if (Overdue) return 'amiss'
  if (!Run) return Skip !== null || Foreseen.length > 0 ? 'troubled' : 'coming'
  if (Run.State === 'running') return 'coming'
  if (Run.State === 'skipped') return 'troubled'
  return Run.State === 'done' || Run.State === 'merged' ? 'done' : 'amiss'
}

/** How many of these stand how. */
export function countStates(items: readonly DayItem[]): Readonly<Record<DayState, number>> {
  const counts = { done: 0, amiss: 0, coming: 0, troubled: 0 }
  for (const item of items) counts[stateOf(item)]++
  return counts
}

/** The actions of each hour of the day; those without any are there, too. */
export function byHour(
  hours: readonly DayHour[],
  items: readonly DayItem[],
): readonly (DayHour & { readonly items: readonly DayItem[] })[] {
  return hours.map((hour) => ({ ...hour, items: items.filter(({ At }) => At >= hour.from && At < hour.to) }))
}
