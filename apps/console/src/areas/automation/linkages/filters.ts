import type { queryLinkages, Request } from '@linewarden/contract'
import { linkageMarks } from '@linewarden/contract'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import type { ListState } from '../../../ui/list-state.ts'

export const filterNames = ['q', 'mark', 'owner'] as const

/** What the server can order by; without an order of the address what needs somebody comes first. */
export const sortable = ['Mark', 'Name', 'Last'] as const

type Filter = Omit<Request<typeof queryLinkages>['body'], 'Page' | 'Size' | 'Sort'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function linkageFilter(list: Pick<ListState, 'filter'>, selection: Selection, text: string): Filter {
  const mark = linkageMarks.find((each) => each === list.filter('mark'))
  return {
    ...placeFilter(selection),
    ...(mark && { Mark: mark }),
    ...(list.filter('owner') === 'none' && { Orphan: true }),
    ...(text.trim() !== '' && { Name: text.trim().slice(0, 64) }),
  }
}
