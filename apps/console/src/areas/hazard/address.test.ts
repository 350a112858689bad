import { expect, test } from 'vitest'
import { askedOf, daysOf, edited, readAddress } from './address.ts'
import type { Behind } from './links.ts'
import { listBehind } from './links.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))
const now = new Date(2026, 2, 10, 12).getTime()
const all = { kind: 'all' } as const

test.each([
  ['nothing: thirty days, today the last of them', '', { from: '2026-02-09', to: '2026-03-10' }],
  ['a week', 'last=7', { from: '2026-03-04', to: '2026-03-10' }],
  ['a range of days', 'last=7&from=2026-01-01&to=2026-01-31', { from: '2026-01-01', to: '2026-01-31' }],
  ['a day that there is not', 'last=7&from=2026-02-30&to=2026-03-01', { from: '2026-03-04', to: '2026-03-10' }],
  ['an end before the start', 'last=7&from=2026-03-02&to=2026-03-01', { from: '2026-03-04', to: '2026-03-10' }],
  ['more than 400 days', 'last=7&from=2025-01-01&to=2026-02-05', { from: '2026-03-04', to: '2026-03-10' }],
])('an address with %s', (_, text, days) => expect(daysOf(read(text), now)).toEqual(days))

test('filters narrow only by what there is', () =>
  expect(
    askedOf(read('last=7&kinds=alarm,smell&priorities=high&keys=trip.short,<b>&compare=no'), { kind: 'house', id: 3 }, now),
  ).toEqual({
    FromDay: '2026-03-04',
    ToDay: '2026-03-10',
    Compare: false,
    HouseID: 3,
    Kinds: ['alarm'],
    Priorities: ['high'],
    Keys: ['trip.short'],
  }))

test('a day that is typed stands, and the other end follows where it must', () => {
  const range = { from: '2026-01-10', to: '2026-01-20' }
  expect(edited(range, 'from', '2026-01-25')).toEqual({ from: '2026-01-25', to: '2026-01-25' })
  expect(edited(range, 'to', '2026-01-05')).toEqual({ from: '2026-01-05', to: '2026-01-05' })
  expect(edited(range, 'to', '2028-01-01')).toEqual({ from: '2026-11-28', to: '2028-01-01' })
})

test('the list behind a figure has the filters of the page and what the figure is of', () => {
  const address = read('kinds=alarm&priorities=high')
  const line = { kind: 'line', house: 3, id: 7 } as const
  const query = (behind: Behind) => [...new URLSearchParams(listBehind(address, all, behind).split('?')[1])]
  expect(query({ counted: 'announced', from: 5, to: 9, at: line, keys: ['trip.short'] })).toEqual([
    ['at', 'line:3:7'],
    ['counted', 'announced'],
    ['view', 'all'],
    ['kinds', 'alarm'],
    ['priorities', 'high'],
    ['keys', 'trip.short'],
    ['from', '5'],
    ['to', '9'],
  ])
  expect(query({ counted: null, open: true, priorities: ['critical'] })).toEqual([
    ['kinds', 'alarm'],
    ['priorities', 'critical'],
  ])
})
