import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chosenCount, itemsOf, movedTo, noLines, withAction, withLines, withoutLines } from './chosen-lines.ts'

const line = (LineNo: number) => ({ ControllerID: 'A', LineNo, LineID: LineNo, LineName: `线${LineNo}`, place: '柜' })
const closes = (...numbers: number[]) => withLines(noLines, 'close', numbers.map(line))
const order = ({ close }: typeof noLines) => close.map(({ LineNo }) => LineNo)

test('a line is in a scene once: ticked again it stays what it was', () => {
  const chosen = withLines(withLines(noLines, 'trip', [line(1)]), 'close', [line(1), line(2)])
  expect([chosen.trip.length, order(chosen)]).toEqual([1, [2]])
})

test('another action moves a line to the end of those', () => {
  const chosen = withAction(withLines(closes(2, 3), 'trip', [line(1)]), line(1), 'close')
  expect([chosen.trip, order(chosen)]).toEqual([[], [2, 3, 1]])
})

test('the calls get each line by its place, trips first', () => {
  const chosen = withLines(closes(3, 2), 'trip', [line(1)])
  expect(itemsOf(chosen).map(({ LineNo, Action, Order }) => `${Action} ${LineNo} ${Order}`)).toEqual([
    'trip 1 0',
    'close 3 0',
    'close 2 1',
  ])
})

test.each([
  [0, 2, [2, 3, 1]],
  [2, 0, [3, 1, 2]],
  [1, Number.MAX_SAFE_INTEGER, [1, 3, 2]],
  [1, -1, [2, 1, 3]],
  [0, -1, [1, 2, 3]],
  [7, 0, [1, 2, 3]],
])('from place %i to %i', (from, to, after) => expect(order(movedTo(closes(1, 2, 3), from, to))).toEqual(after))

test('whatever is moved, taken out and ticked, no line is lost or doubled', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.nat(45),
      fc.nat(45),
      (numbers, from, to) => {
        const moved = movedTo(closes(...numbers), from, to)
        expect(order(moved).toSorted()).toEqual(numbers.toSorted())
        const rest = withoutLines(moved, new Set([`A/${numbers[0]}`]))
        expect(chosenCount(rest)).toBe(numbers.length - 1)
      },
    ),
  )
})
