import { expect, test } from 'vitest'
import { countOf, logChoices, logFilter } from './log-filters.ts'

const list = (values: Readonly<Record<string, string>>) => ({ filter: (name: string) => values[name] ?? '' })
const of = (values: Readonly<Record<string, string>>, text = '') =>
  logFilter(list(values), { kind: 'all' }, text, 800_000_000).body

test('a press shows as many entries as it says', () => {
  const about = {
    States: [
      { State: 'done' as const, Count: 4 },
      { State: 'partly' as const, Count: 1 },
      { State: 'skipped' as const, Count: 2 },
    ],
    ...{ Shadow: 3, Near: [{ Why: 'cooldown', Count: 5 }] },
  }
  expect(logChoices.map((choice) => countOf(about, choice))).toEqual([10, 4, 3, 3, 5, 15])
})

test('what kept a linkage from firing narrows only what did not fire', () => {
  expect(of({ which: 'near', why: 'cooldown', days: '1' })).toEqual({
    ...{ From: 800_000_000 - 86_400_000, Near: true, Ran: false, Why: 'cooldown' },
  })
  expect(of({ why: 'cooldown' })).toEqual({ From: 800_000_000 - 7 * 86_400_000 })
  expect(of({ which: 'nonsense', linkage: 'x', why: '<b>' }, ' 过载 ')).toMatchObject({ Name: '过载' })
})

test('a run that a link names is shown alone, whenever it was', () => {
  const run = '0193a0f0-0000-5000-8000-000000000001'
  expect(of({ run, which: 'near', days: '1', q: 'x' }, 'x')).toEqual({ RunID: run })
})

test('it is narrowed to what the tree has selected', () => {
  expect(logFilter(list({}), { kind: 'gateway', house: 1, id: 7 }, '', 0).body).toMatchObject({ DeviceID: 7 })
})
