import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withSortedKeys } from './sorted-keys.ts'

test('keys are in order however deep, and lists as they were', () => {
  expect(JSON.stringify(withSortedKeys({ b: [{ d: 1, c: null }, 'x'], a: { f: 2, e: [] } }))).toBe(
    '{"a":{"e":[],"f":2},"b":[{"c":null,"d":1},"x"]}',
  )
})

test('the value is the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(withSortedKeys(value)).toEqual(value)
    }),
  )
})
