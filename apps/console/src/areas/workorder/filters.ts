import type { queryWorkOrders, Request } from '@linewarden/contract'
import { orderViews } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { orderStatuses, orderTypes } from '@linewarden/rules/workorder'
import type { Selection } from '../../plant/equipment.ts'
import { placeFilter } from '../../plant/place-filter.ts'
import type { ListState } from '../../ui/list-state.ts'

export const filterNames = ['q', 'view', 'status', 'priority', 'type', 'person'] as const
export const sortable = ['Clock', 'Number', 'Priority', 'CreatedAt', 'Status'] as const

export type OrderFilter = Omit<Request<typeof queryWorkOrders>['body'], 'Page' | 'Size' | 'Sort'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function orderFilter({ filter }: Pick<ListState, 'filter'>, selection: Selection, text: string): OrderFilter {
  const one = <const T extends string>(name: string, of: readonly T[]): T | undefined => of.find((each) => each === filter(name))
  const [view, status] = [one('view', orderViews), one('status', orderStatuses)]
  const [priority, type] = [one('priority', priorities), one('type', orderTypes)]
  const person = /^[0-9a-f-]{36}$/.exec(filter('person'))?.[0]
  return {
    ...placeFilter(selection),
    ...(view && { View: view }),
    ...(status && { Status: status }),
    ...(priority && { Priority: priority }),
    ...(type && { Type: type }),
    ...(person && { PersonID: person }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}
