import { remembered } from '../areas/monitor/selection.ts'
import { hasTree } from '../paths.ts'

/** Where a menu leads: to a page with a tree the selection goes along, to others it would say nothing. */
export function withSelection(path: string): string {
  const at = hasTree(path) ? remembered() : ''
  return at === '' ? path : `${path}?${new URLSearchParams({ at })}`
}
