import { expect, test } from 'vitest'
import type { FocusBox } from './remote-focus.ts'
import { directionOf, isBack, nextFocus } from './remote-focus.ts'

const box = (left: number, top: number): FocusBox => ({ left, top, right: left + 100, bottom: top + 40 })
/** Two rows of three. */
const boxes = [box(0, 0), box(200, 0), box(400, 0), box(0, 200), box(200, 200), box(400, 200)]

test('an arrow leads to what lies that way, the nearest first; where nothing does the focus stays', () => {
  expect((['left', 'right', 'up', 'down'] as const).map((way) => nextFocus(boxes, 4, way))).toEqual([3, 5, 1, null])
  expect(nextFocus(boxes, 2, 'right')).toBeNull()
})

test('what is far to the side is not that way', () => {
  expect(nextFocus([box(0, 0), box(900, 50)], 0, 'down')).toBeNull()
  expect(nextFocus([box(0, 0), box(900, 50), box(40, 300)], 0, 'down')).toBe(2)
})

test('from nowhere the first arrow leads to the first place, if there is one', () => {
  expect(nextFocus(boxes, null, 'up')).toBe(0)
  expect(nextFocus([], null, 'up')).toBeNull()
})

test('televisions go back by keys of their own', () => {
  const pressed = (key: string, keyCode = 0) => isBack({ key, keyCode })
  expect([pressed('Escape'), pressed('Backspace'), pressed('GoBack'), pressed('Unidentified', 461), pressed('', 10_009)]).toEqual(
    Array.from({ length: 5 }, () => true),
  )
  expect([pressed('Enter'), pressed('a', 65)]).toEqual([false, false])
  expect([directionOf('ArrowUp'), directionOf('Enter')]).toEqual(['up', null])
})
