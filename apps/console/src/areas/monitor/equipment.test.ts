import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Selection } from './equipment.ts'
import { readSelection, selectionText } from './equipment.ts'

const id = fc.integer({ min: 1, max: 999_999_999 })
const selections: fc.Arbitrary<Selection> = fc.oneof(
  fc.constant<Selection>({ kind: 'all' }),
  fc.record({ kind: fc.constantFrom('group' as const, 'house' as const), id }),
  fc.record({ kind: fc.constantFrom('gateway' as const, 'line' as const), house: id, id }),
  fc.record({ kind: fc.constant('device' as const), house: id, id: fc.string({ minLength: 1 }) }),
)

test('a selection comes back from the address as it was', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      expect(readSelection(selectionText(selection))).toEqual(selection)
    }),
  )
})

test.each([null, '', 'all', 'house', 'house:', 'house:x', 'house:-1', 'line:3', 'line:3:x', 'device:3:', 'toString:1'])(
  '%j means everything',
  (text) => expect(readSelection(text)).toEqual({ kind: 'all' }),
)
