import { dayMs } from '@linewarden/equipment'
import type { RunState } from '@linewarden/rules/automation'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import type { ListState } from '../../../ui/list-state.ts'
import { daysOf } from '../parts/day-filter.tsx'

export const filterNames = ['q', 'state', 'of', 'days', 'order'] as const

/** The states that one press asks for. */
export const stateChoices = {
  missed: ['missed'],
  amiss: ['partly', 'refused', 'stopped'],
  skipped: ['skipped', 'merged'],
  done: ['done'],
  running: ['running'],
} as const satisfies Readonly<Record<string, readonly RunState[]>>
export type StateChoice = keyof typeof stateChoices

/** What the address asks for; what it says and is no filter is left out. `now` to the minute: a question that is new each second is asked each second. */
export function runFilter(list: Pick<ListState, 'filter'>, selection: Selection, text: string, now: number) {
  const choice = (Object.keys(stateChoices) as StateChoice[]).find((each) => each === list.filter('state'))
  const days = daysOf(list)
  const of = /^[0-9]{1,9}$/.exec(list.filter('of'))?.[0]
  return {
    place: placeFilter(selection),
    from: now - days * dayMs,
    days,
    sourceId: of === undefined ? null : Number(of),
    text: text.trim().slice(0, 64),
    choice: choice ?? null,
    states: choice ? [...stateChoices[choice]] : null,
    amissFirst: list.filter('order') !== 'time',
  }
}
