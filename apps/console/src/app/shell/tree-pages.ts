import { hasTree } from '../../paths.ts'
import { remembered } from '../../plant/selection.ts'

/** Where a menu leads: to a page with a tree the selection goes along, to others it would say nothing. */
export function withSelection(path: string): string {
  const at = hasTree(path) ? remembered() : ''
  return at === '' ? path : `${path}?${new URLSearchParams({ at })}`
}
