import type { queryTimers, Request } from '@linewarden/contract'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import type { ListState } from '../../../ui/list-state.ts'

export const filterNames = ['q', 'owner', 'on', 'missed', 'conflict'] as const

/** What the server can order by; without an order of the address it is by what is due next. */
export const sortable = ['Name', 'Next', 'Last'] as const

type Filter = Omit<Request<typeof queryTimers>['body'], 'Page' | 'Size' | 'Sort'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function timerFilter(list: Pick<ListState, 'filter'>, selection: Selection, text: string): Filter {
  const enabled = { yes: true, no: false }[list.filter('on')]
  return {
    ...placeFilter(selection),
    ...(list.filter('owner') === 'none' && { Orphan: true }),
    ...(list.filter('conflict') === 'yes' && { Conflict: true }),
    ...(list.filter('missed') === 'yes' && { Missed: true }),
    ...(enabled !== undefined && { Enabled: enabled }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}
