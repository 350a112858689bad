import { minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { RaiseOrReturn } from './tuning-span.ts'
import { spansToReplay } from './tuning-span.ts'

const range = { from: 0, to: 1_000 * minuteMs }
const raise = (minute: number): RaiseOrReturn => ({ act: 'raise', at: minute * minuteMs })
const back = (minute: number): RaiseOrReturn => ({ act: 'return', at: minute * minuteMs })

test.each<[string, readonly RaiseOrReturn[], readonly (readonly [number, number])[]]>([
  ['of nothing are none', [], []],
  ['reach from before a raise to after its return', [raise(100), back(110)], [[95, 125]]],
  ['that touch are one', [raise(100), back(110), raise(130), back(131)], [[95, 146]]],
  [
    'far apart are two',
    [raise(100), back(101), raise(500), back(501)],
    [
      [95, 116],
      [495, 516],
    ],
  ],
  ['of one that is there last until now', [raise(990)], [[985, 1_000]]],
  ['of one that began earlier begin with the range', [back(10)], [[0, 25]]],
  ['end with the range', [raise(995), back(998)], [[990, 1_000]]],
  ['begin at the first of two raises without a return', [raise(100), raise(105), back(110)], [[95, 125]]],
  [
    'of a return that nothing raised lie about it',
    [raise(100), back(101), back(500)],
    [
      [95, 116],
      [495, 515],
    ],
  ],
])('times %s', (_, steps, expected) => {
  expect(spansToReplay(steps, range, 0)).toEqual(expected.map(([from, to]) => ({ from: from * minuteMs, to: to * minuteMs })))
})

test('of what reports each hour they take in the hours before and after', () => {
  expect(spansToReplay([raise(500), back(560)], range, 60 * minuteMs)).toEqual([
    { from: (500 - 5 - 180) * minuteMs, to: (560 + 15 + 180) * minuteMs },
  ])
})
