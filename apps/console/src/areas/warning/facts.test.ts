import type { Reply, warningDetails } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { amount, counted, dayNumber, withUnit } from './amount.ts'
import { contactFacts, contactTrend, phaseOf } from './contact-facts.ts'
import { leakageFacts } from './leakage-facts.ts'

type Details = Reply<typeof warningDetails>

test.each([
  [0.08, '0.08'],
  [8.1, '8.1'],
  [16.94, '16.9'],
  [241.5, '242'],
  [0, '0'],
])('%s is written %s', (value, text) => {
  expect(amount(value)).toBe(text)
})

test('units stand beside figures, and thousands apart', () => {
  expect(withUnit(16.9, 'mA')).toBe('16.9 mA')
  expect(withUnit(3, '')).toBe('3')
  expect(counted(1204)).toBe('1,204')
  expect(dayNumber('1970-01-02')).toBe(1)
})

const terminal = (Point: string, over: Partial<NonNullable<Details['Contact']>['Phases'][number]> = {}) => ({
  ...{ Point, Label: { zh: Point, en: Point }, ExcessK: 0.2, ErrorK: 1, RiseK: 32, AtPeakK: 0.1, Daily: [] },
  Hours: [{ Day: '2026-11-24', X: 0.5, Y: 16 }],
  ...over,
})
const contact: Parameters<typeof contactFacts>[0] = {
  ...{ RatedA: 250, Load: 0.83, ToLimit: null },
  Phases: [
    terminal('a'),
    terminal('b', {
      ExcessK: 12,
      Hours: [{ Day: '2026-11-22', X: 0.5, Y: 22 }],
      Daily: [
        { Day: '2026-11-23', AtPeakK: null, Lo: null, Hi: null },
        { Day: '2026-11-24', AtPeakK: 10, Lo: 9, Hi: 11 },
      ],
    }),
    terminal('c'),
  ],
}

test('a single-phase line has a phase and a neutral, a three-phase line three phases and then the neutral', () => {
  expect([0, 1].map((index) => phaseOf(2, index))).toEqual(['a', 'n'])
  expect([0, 1, 2, 3].map((index) => phaseOf(4, index))).toEqual(['a', 'b', 'c', 'n'])
})

test('the picture of a contact is of the terminal that the finding is about, days counted from the newest', () => {
  const facts = contactFacts(contact, 'b')
  expect(facts).toMatchObject({ phase: 'b', excessK: 12, othersK: 32, usualLoad: 0.83 })
  expect(facts?.hours.map(({ phase, age }) => [phase, age])).toEqual([
    ['a', 0],
    ['b', 2],
    ['c', 0],
  ])
})

test('a contact that can be fitted no more has no picture, and a day that is not known stays one', () => {
  expect(contactFacts(contact, 'x')).toBeNull()
  expect(contactFacts({ ...contact, Load: null }, 'b')).toBeNull()
  expect(contactTrend(contact, 'b', 15)?.days.map(({ value }) => value)).toEqual([null, 10])
  expect(contactTrend(contact, 'a', 15)).toBeNull()
})

const leakage: Parameters<typeof leakageFacts>[0] = {
  ...{ TripMa: 30, Baseline: 8, Spread: 0.6, BaselineFrom: '2026-10-20', BaselineTo: '2026-11-16' },
  Days: [
    { Day: '2026-11-22', FloorMa: 8, PeakMa: 9, Excluded: null },
    { Day: '2026-11-23', FloorMa: 4, PeakMa: 9, Excluded: 'tagged' },
    { Day: '2026-11-24', FloorMa: null, PeakMa: null, Excluded: 'coverage' },
  ],
}

test('a day that does not count is a gap, whatever was measured', () => {
  const facts = leakageFacts(leakage, 8, '2026-11-24')
  expect(facts?.days.map(({ floorMa, excluded }) => [floorMa, excluded])).toEqual([
    [8, null],
    [null, 'tagged'],
    [null, 'coverage'],
  ])
  expect(facts).toMatchObject({ presentMa: 8, raisedDay: dayNumber('2026-11-24'), baseline: { ma: 8, spreadMa: 0.6 } })
})

test('without a trip level there is nothing to hold a leakage against', () => {
  expect(leakageFacts({ ...leakage, TripMa: null }, 8, null)).toBeNull()
})
