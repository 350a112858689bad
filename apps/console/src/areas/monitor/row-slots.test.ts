import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slotsOf } from './row-slots.ts'

/** Nothing was in sight before. */
const nothing: ReturnType<typeof slotsOf> = { shownBy: '', slots: new Map(), next: 0 }
const slots = (keys: readonly number[], shownBy: string, before = nothing) => [...slotsOf(keys, shownBy, before).slots.values()]

const first = slotsOf([-1, 10, 11, 12], 'all', nothing)

test('lines that move by themselves keep their slots; one that comes into sight gets a slot nobody had', () => {
  expect(slots([-1, 12, 10, 99], 'all', first)).toEqual([0, 3, 1, 4])
})

test('lines that were asked for are written into the slots that are there, in the order of the page', () => {
  expect(slots([-2, 20, 21, 22], 'search', first)).toEqual([0, 1, 2, 3])
  expect(slots([12, 11, 10], 'sort', first)).toEqual([1, 2, 3])
})

test('a row that is pressed, or has the keyboard on it, stays with its line or goes with it; no other line gets its place', () => {
  const inHand = new Set([2])
  expect([...slotsOf([20, 11, 21], 'search', first, inHand).slots]).toEqual([
    [20, 1],
    [11, 2],
    [21, 3],
  ])
  expect([...slotsOf([20, 21, 22], 'search', first, inHand).slots.values()]).toEqual([1, 3, 4])
})

test('a gateway is never written into the slot of a line, nor a line into that of a gateway', () => {
  expect(slots([20, -2, -3], 'search', first)).toEqual([1, 0, 4])
})

test('a slot that was let go is not given to another line while nobody asks for other lines', () => {
  const fewer = slotsOf([-1, 10], 'all', first)
  expect(slots([-1, 10, 13], 'all', fewer)).toEqual([0, 1, 4])
})

test('no two rows share a slot, whatever is asked for', () => {
  const keys = fc.uniqueArray(fc.integer({ min: -30, max: 30 }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.array(fc.record({ keys, shownBy: fc.constantFrom('a', 'b') })), (draws) => {
      let drawn = nothing
      for (const draw of draws) {
        drawn = slotsOf(draw.keys, draw.shownBy, drawn)
        expect([...drawn.slots.keys()]).toEqual(draw.keys)
        expect(new Set(drawn.slots.values()).size).toBe(draw.keys.length)
      }
    }),
  )
})
