import { expect, test } from 'vitest'
import type { Firing } from './linkage-fold.ts'
import { isSameRise, metBy } from './linkage-rise.ts'

const change = (by: number) => ({ after: by - 1, by, isNew: true })
const rise = (...each: readonly (readonly [Firing['truths'][number], number | null])[]) => ({
  truths: each.map(([truth]) => truth),
  changes: each.map(([, by]) => (by === null ? null : change(by))),
})

test('a rise came of the values that met its conditions, and of nothing where one of these is not known', () => {
  expect(metBy(rise([true, 5], [false, null], ['unknown', null]))).toEqual([5, null, null])
  expect(metBy(rise([true, 5], [true, null]))).toBeNull()
})

test.each<[string, Parameters<typeof isSameRise>[0], Parameters<typeof isSameRise>[1], boolean]>([
  ['the same values', [5, 7], [5, 7], true],
  ['one of those that are stored', [null, 7], [5, 7], true],
  ['one value more than is stored', [5, 7], [5, null], false],
  ['another value of the same condition', [8], [5], false],
  ['the value of another condition', [null, 5], [5, null], false],
  ['values that are not known', null, [5], false],
  ['values beside a rise of which they are not known', [5], null, false],
])('of two rises by %s', (_name, own, stored, isSame) => {
  expect(isSameRise(own, stored)).toBe(isSame)
})
