import { expect, test } from 'vitest'
import type { LookTime } from './look-call.ts'
import { callsByLook } from './look-call.ts'

const inTime: LookTime = { day: 100, evaluatedBefore: 99, finished: 100 }

test.each<[string, Partial<LookTime>, boolean]>([
  ['the last day, in time', {}, true],
  ['the first look at a line', { evaluatedBefore: null }, true],
  ['a day that was evaluated before and came late', { evaluatedBefore: 100 }, false],
  ['a day long before the last one that was evaluated', { day: 90, evaluatedBefore: 100 }, false],
  ['a day after which another has ended, as after an absence', { finished: 101 }, false],
  ['a first look at a past of months', { day: 40, evaluatedBefore: null }, false],
])('%s', (_, difference, calls) => {
  expect(callsByLook({ ...inTime, ...difference })).toBe(calls)
})
