import type { queryScenes, Request } from '@linewarden/contract'
import type { ListState } from '../../../ui/list-state.ts'

export const filterNames = ['q', 'house', 'device', 'no', 'off', 'orphan'] as const

type Filter = Omit<Request<typeof queryScenes>['body'], 'Page' | 'Size'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function sceneFilter({ filter }: Pick<ListState, 'filter'>, text: string): Filter {
  const [house, device, no] = [filter('house'), filter('device'), filter('no')]
  const isLine = device !== '' && device.length <= 64
  return {
    ...(/^[1-9]\d{0,8}$/.test(house) && { HouseID: Number(house) }),
    ...(isLine && { ControllerID: device }),
    ...(isLine && /^\d{1,4}$/.test(no) && { LineNo: Number(no) }),
    ...(filter('off') === 'yes' && { Enabled: false }),
    ...(filter('orphan') === 'yes' && { Orphan: true }),
    ...(text.trim() !== '' && { Name: text.trim().slice(0, 64) }),
  }
}
