import { expect, test } from 'vitest'
import { sceneFilter } from './filters.ts'

const all = { kind: 'all' } as const
const of = (values: Readonly<Record<string, string>>, text = '') =>
  sceneFilter({ filter: (name) => values[name] ?? '' }, all, text)

test.each([
  [{}, {}],
  [
    { off: 'yes', orphan: 'yes' },
    { Enabled: false, Orphan: true },
  ],
  [{ off: 'no' }, {}],
])('%o asks for %o', (values, filter) => expect(of(values)).toEqual(filter))

test('what the tree has selected is asked for', () =>
  expect(sceneFilter({ filter: () => '' }, { kind: 'line', house: 3, id: 45 }, '')).toEqual({ LineID: 45 }))

test('what was typed is trimmed, and no longer than the call takes it', () =>
  expect(of({}, `  ${'a'.repeat(80)}`)).toEqual({ Name: 'a'.repeat(64) }))
