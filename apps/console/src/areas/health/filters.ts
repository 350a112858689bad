import type { listHealthCheckLines, Request } from '@linewarden/contract'
import { healthBands, healthCategories } from '@linewarden/rules/health'
import type { ListState } from '../../ui/list-state.ts'

export const filterNames = ['q', 'band', 'category'] as const

type LineFilter = Pick<Request<typeof listHealthCheckLines>['body'], 'Band' | 'Category' | 'Text'>

/** What the address asks for; what it says and is no filter is left out. `text` is what was typed, once the hand rests. */
export function lineFilter({ filter }: Pick<ListState, 'filter'>, text: string): LineFilter {
  const band = [...healthBands, 'none' as const].find((each) => each === filter('band'))
  const category = healthCategories.find((each) => each === filter('category'))
  return {
    ...(band && { Band: band }),
    ...(category && { Category: category }),
    ...(text.trim() !== '' && { Text: text.trim().slice(0, 64) }),
  }
}
