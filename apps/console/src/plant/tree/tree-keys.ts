import { nodeKey } from './abnormal.ts'
import type { TreeRow } from './tree-nodes.ts'

export type TreeMove =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'fold'; readonly row: TreeRow }
  | { readonly kind: 'choose'; readonly row: TreeRow }

/** What a key does in the tree, as the WAI-ARIA tree pattern has it; null when the key is none of the tree's. */
export function moved(rows: readonly TreeRow[], at: number, key: string): TreeMove | null {
  const row = rows[at]
  if (!row) return null
  switch (key) {
    case 'ArrowDown':
      return { kind: 'go', to: Math.min(rows.length - 1, at + 1) }
    case 'ArrowUp':
      return { kind: 'go', to: Math.max(0, at - 1) }
    case 'Home':
      return { kind: 'go', to: 0 }
    case 'End':
      return { kind: 'go', to: rows.length - 1 }
    case 'ArrowRight':
      if (row.open === null) return { kind: 'go', to: at }
      return row.open ? { kind: 'go', to: Math.min(rows.length - 1, at + 1) } : { kind: 'fold', row }
    case 'ArrowLeft':
      return row.open ? { kind: 'fold', row } : { kind: 'go', to: parentOf(rows, at) }
    case 'Enter':
    case ' ':
      return { kind: 'choose', row }
    default:
      return null
  }
}

/** Where the row of a key stands. Of a row that is gone: its project, when it stood for the inside of one; else the first row. */
export function placeOf(rows: readonly TreeRow[], key: string): number {
  const at = rows.findIndex((row) => row.key === key)
  if (at >= 0) return at
  return Math.max(
    0,
    rows.findIndex((row) => nodeKey.inside(row.key) === key),
  )
}

function parentOf(rows: readonly TreeRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0
  for (let above = at - 1; above >= 0; above -= 1) if ((rows[above]?.depth ?? 0) < depth) return above
  return at
}
