import type { queryScenes, Request } from '@linewarden/contract'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import type { ListState } from '../../../ui/list-state.ts'

export const filterNames = ['q', 'off', 'orphan'] as const

/** What the server can order by; without an order of the address it is by name. */
export const sortable = ['Name', 'Last', 'Changed'] as const

type Filter = Omit<Request<typeof queryScenes>['body'], 'Page' | 'Size' | 'Sort'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function sceneFilter({ filter }: Pick<ListState, 'filter'>, selection: Selection, text: string): Filter {
  return {
    ...placeFilter(selection),
    ...(filter('off') === 'yes' && { Enabled: false }),
    ...(filter('orphan') === 'yes' && { Orphan: true }),
    ...(text.trim() !== '' && { Name: text.trim().slice(0, 64) }),
  }
}
