import { expect, test } from 'vitest'
import { moved, placeOf } from './tree-keys.ts'
import type { TreeRow } from './tree-nodes.ts'

const row = (key: string, depth: number, open: boolean | null, kind: TreeRow['kind'] = 'house'): TreeRow => ({
  key,
  name: key,
  depth,
  selection: { kind: 'all' },
  open,
  lines: null,
  kind,
})
const rows = [
  row('c1', 0, true, 'group'),
  row('h1', 1, true),
  row('g1', 2, false, 'gateway'),
  row('g2', 2, null, 'gateway'),
  row('h2', 1, true),
  row('h2…', 2, null, 'failed'),
  row('c2', 0, false, 'group'),
]
const at = (key: string) => rows.findIndex((each) => each.key === key)

test.each([
  ['ArrowDown', 'c1', 'h1'],
  ['ArrowDown', 'c2', 'c2'],
  ['ArrowUp', 'h2', 'g2'],
  ['ArrowUp', 'c1', 'c1'],
  ['Home', 'h2', 'c1'],
  ['End', 'h1', 'c2'],
  ['ArrowRight', 'h1', 'g1'],
  ['ArrowRight', 'g2', 'g2'],
  ['ArrowLeft', 'g2', 'h1'],
  ['ArrowLeft', 'g1', 'h1'],
  ['ArrowLeft', 'h2…', 'h2'],
  ['ArrowLeft', 'c2', 'c2'],
])('%s at %s goes to %s', (key, from, to) => {
  expect(moved(rows, at(from), key)).toEqual({ kind: 'go', to: at(to) })
})

test.each([
  ['ArrowRight', 'fold', 'g1'],
  ['ArrowRight', 'fold', 'c2'],
  ['ArrowLeft', 'fold', 'h1'],
  ['Enter', 'choose', 'g1'],
  ['Enter', 'choose', 'h2…'],
  [' ', 'choose', 'c1'],
])('%j does %s with %s', (key, kind, on) => {
  expect(moved(rows, at(on), key)).toEqual({ kind, row: rows[at(on)] })
})

test('a key that is none of the tree does nothing, and so does every key in a tree without rows', () => {
  expect(moved(rows, 0, 'a')).toBeNull()
  expect(moved(rows, 0, 'Tab')).toBeNull()
  expect(moved([], 0, 'ArrowDown')).toBeNull()
})

test('the keys stay at their row; when it is gone they go on at the project whose inside it stood for, else at the first', () => {
  expect(placeOf(rows, 'h2…')).toBe(at('h2…'))
  const loaded = rows.map((each) => (each.kind === 'failed' ? row('g3', 2, false, 'gateway') : each))
  expect(placeOf(loaded, 'h2…')).toBe(at('h2'))
  expect(placeOf(loaded, 'g9')).toBe(0)
  expect(placeOf([], 'g1')).toBe(0)
})
