import { expect, test } from 'vitest'
import { decideFiring, isDangerTrip, mayCloseAgain } from './linkage-limits.ts'

const limits = { cooldownS: 300, maxPerHour: 6, maxPerDay: 24 }
const now = 100 * 3_600_000
const minutesAgo = (...minutes: number[]) => minutes.map((each) => now - each * 60_000)
const decide = (firedAt: readonly number[], chain: readonly number[] = [], isDangerTrip = false) =>
  decideFiring(1, limits, firedAt, chain, isDangerTrip, now)

test.each([
  ['nothing before', [], { do: 'act' }],
  ['a firing four minutes ago', [4], { do: 'suppress', why: 'cooldown' }],
  ['a firing five minutes ago', [5], { do: 'act' }],
  ['five in the hour', [10, 20, 30, 40, 50], { do: 'act' }],
  ['six in the hour', [10, 20, 30, 40, 50, 59], { do: 'halt', why: 'maxPerHour' }],
  ['six, one of them an hour ago', [10, 20, 30, 40, 50, 60], { do: 'act' }],
  ['24 in the day', Array.from({ length: 24 }, (_, index) => 15 + index * 55), { do: 'halt', why: 'maxPerDay' }],
] as const)('after %s a firing is decided', (_name, minutes, decision) => {
  expect(decide(minutesAgo(...minutes))).toEqual(decision)
})

test('what it did before a person cleared its halt counts for no further halt, but for the cooldown', () => {
  const cleared = (minutes: number) => ({ ...limits, clearedAt: now - minutes * 60_000 })
  const decideCleared = (minutes: number, ...had: number[]) =>
    decideFiring(1, cleared(minutes), minutesAgo(...had), [], false, now)
  const six = [10, 20, 30, 40, 50, 59]
  const day = Array.from({ length: 24 }, (_, index) => 15 + index * 55)
  expect(decideCleared(9, ...six)).toEqual({ do: 'act' })
  expect(decideCleared(14, ...day)).toEqual({ do: 'act' })
  expect(decideCleared(60, ...six)).toEqual({ do: 'halt', why: 'maxPerHour' })
  expect(decideCleared(1, 4)).toEqual({ do: 'suppress', why: 'cooldown' })
  expect(decideCleared(-1, ...six)).toEqual({ do: 'halt', why: 'maxPerHour' })
})

test('a trip on a danger alarm knows no limit, and still never causes itself', () => {
  const often = minutesAgo(...Array.from({ length: 40 }, (_, index) => index))
  expect(decide(often, [], true)).toEqual({ do: 'act' })
  expect(decide(often, [2, 1], true)).toEqual({ do: 'suppress', why: 'chain' })
})

test('three causes are the most', () => {
  expect(decide([], [2, 3])).toEqual({ do: 'act' })
  expect(decide([], [2, 3, 4])).toEqual({ do: 'suppress', why: 'chainTooLong' })
})

test('a line is closed six times an hour by automation, and not a seventh time', () => {
  expect(mayCloseAgain(minutesAgo(1, 2, 3, 4, 5), now)).toBe(true)
  expect(mayCloseAgain(minutesAgo(1, 2, 3, 4, 5, 59), now)).toBe(false)
  expect(mayCloseAgain(minutesAgo(1, 2, 3, 4, 5, 60), now)).toBe(true)
})

test.each([
  ['a trip, and a danger that is there', ['trip'], [{ isDanger: true, truth: true }], true],
  [
    'a scene, and a danger beside something else',
    ['raise', 'scene'],
    [
      { isDanger: false, truth: true },
      { isDanger: true, truth: true },
    ],
    true,
  ],
  [
    'a danger that is not there',
    ['trip'],
    [
      { isDanger: false, truth: true },
      { isDanger: true, truth: false },
    ],
    false,
  ],
  [
    'a danger that is not known',
    ['trip'],
    [
      { isDanger: false, truth: true },
      { isDanger: true, truth: 'unknown' },
    ],
    false,
  ],
  ['no danger', ['trip'], [{ isDanger: false, truth: true }], false],
  ['nothing that cuts the power', ['raise', 'close'], [{ isDanger: true, truth: true }], false],
] as const)('%s: whether limits hold it up', (_name, actions, conditions, expected) => {
  expect(isDangerTrip(actions, conditions)).toBe(expected)
})
