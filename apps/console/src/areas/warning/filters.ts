import type { queryWarnings, Request } from '@linewarden/contract'
import { warningLevels } from '@linewarden/rules/warning'
import type { Selection } from '../../plant/equipment.ts'
import { placeFilter } from '../../plant/place-filter.ts'
import type { ListState } from '../../ui/list-state.ts'

export const filterNames = ['q', 'key', 'level', 'ack', 'shelf', 'over'] as const

type Filter = Omit<Request<typeof queryWarnings>['body'], 'Page' | 'Size'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function warningFilter(list: Pick<ListState, 'filter'>, selection: Selection, text: string): Filter {
  const key = list.filter('key')
  const level = warningLevels.find((each) => each === list.filter('level'))
  const [ack, shelf] = [yesNo(list.filter('ack')), yesNo(list.filter('shelf'))]
  return {
    ...placeFilter(selection),
    ...(list.filter('over') === 'yes' && { Open: false }),
    ...(/^[A-Za-z.]{1,32}$/.test(key) && { Keys: [key] }),
    ...(level && { Levels: [level] }),
    ...(ack !== null && { Acknowledged: ack }),
    ...(shelf !== null && { Shelved: shelf }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}

const yesNo = (text: string): boolean | null => (text === 'yes' ? true : text === 'no' ? false : null)
