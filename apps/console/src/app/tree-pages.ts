import { remembered } from '../areas/monitor/selection.ts'

/** Sections whose pages are about what the tree selects. */
export const hasTree = (pathname: string): boolean =>
  ['/devmon/', '/energyStatistics/'].some((section) => pathname.startsWith(section))

/** Where a menu leads: to a page with a tree the selection goes along, to others it would say nothing. */
export function withSelection(path: string): string {
  const at = hasTree(path) ? remembered() : ''
  return at === '' ? path : `${path}?${new URLSearchParams({ at })}`
}
