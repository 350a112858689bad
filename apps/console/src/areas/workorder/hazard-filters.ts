import type { queryHazards, Request } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { hazardSources, hazardStates } from '@linewarden/rules/hazard'
import type { Selection } from '../../plant/equipment.ts'
import { placeFilter } from '../../plant/place-filter.ts'
import type { ListState } from '../../ui/list-state.ts'

export const hazardFilterNames = ['q', 'state', 'level', 'source'] as const

export type HazardFilter = Omit<Request<typeof queryHazards>['body'], 'Before' | 'Size'>

/** What the address asks for; without a state those that are not gone. `text` is what was typed, once the hand rests. */
export function hazardFilter({ filter }: Pick<ListState, 'filter'>, selection: Selection, text: string): HazardFilter {
  const one = <const T extends string>(name: string, of: readonly T[]): T | undefined => of.find((each) => each === filter(name))
  const [level, source] = [one('level', priorities), one('source', hazardSources)]
  return {
    ...placeFilter(selection),
    State: one('state', hazardStates) ?? 'there',
    ...(level && { Level: level }),
    ...(source && { Source: source }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}
