import type { queryRounds, Request } from '@linewarden/contract'
import { roundKinds, roundStates } from '@linewarden/rules/inspection'
import type { Selection } from '../../plant/equipment.ts'
import type { ListState } from '../../ui/list-state.ts'

export const filterNames = ['q', 'state', 'kind', 'mine', 'plan'] as const
export const sortable = ['Due', 'Number', 'State'] as const

export type RoundFilter = Omit<Request<typeof queryRounds>['body'], 'Page' | 'Size' | 'Sort'>

/** What of the tree's selection a round can be of: a group or a project. */
export function placeOf(selection: Selection): { readonly CityID?: number; readonly HouseID?: number } {
  switch (selection.kind) {
    case 'all':
      return {}
    case 'group':
      return { CityID: selection.id }
    case 'house':
      return { HouseID: selection.id }
    default:
      return { HouseID: selection.house }
  }
}

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function roundFilter({ filter }: Pick<ListState, 'filter'>, selection: Selection, text: string): RoundFilter {
  const state = roundStates.find((each) => each === filter('state'))
  const kind = roundKinds.find((each) => each === filter('kind'))
  const plan = Number(/^[1-9]\d{0,8}$/.exec(filter('plan'))?.[0]) || null
  return {
    ...placeOf(selection),
    ...(state && { State: state }),
    ...(kind && { Kind: kind }),
    ...(plan !== null && { PlanID: plan }),
    ...(filter('mine') === 'yes' && { Mine: true }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}
