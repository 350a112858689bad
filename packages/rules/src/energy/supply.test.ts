import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { BilledSupply } from './supply.ts'
import { isSuppliedOn, supplyProblems } from './supply.ts'

const main: BilledSupply = { supplyId: 1, name: '总表', from: '2026-01-01', to: null, members: [{ lineId: 10, sign: 1 }] }
/** 10 feeds 11, that feeds 12. */
const upstreamOf = (lineId: number): number | null => ({ 11: 10, 12: 11 })[lineId] ?? null
const supply = (more: Partial<BilledSupply>): BilledSupply => ({
  ...main,
  supplyId: 2,
  name: '分表',
  members: [{ lineId: 20, sign: 1 }],
  ...more,
})
const problemsOf = (more: Partial<BilledSupply>) => supplyProblems(supply(more), [main], upstreamOf)

test('a supply with its own incoming line stands beside another, and what it takes off another may be its own', () => {
  expect(problemsOf({})).toEqual([])
  const less = supply({ members: [...main.members, { lineId: 11, sign: -1 }] })
  expect(supplyProblems(less, [supply({ supplyId: 3, name: '宿舍', members: [{ lineId: 11, sign: 1 }] })], upstreamOf)).toEqual(
    [],
  )
})

test.each<[string, Partial<BilledSupply>, unknown]>([
  ['ends before it begins', { to: '2025-12-31' }, { problem: 'datesWrong' }],
  ['begins on no date', { from: '2026-02-30' }, { problem: 'datesWrong' }],
  ['has no line', { members: [] }, { problem: 'noLine' }],
  ['only takes off', { members: [{ lineId: 20, sign: -1 }] }, { problem: 'noLine' }],
  ['is called as another', { name: ' 总表 ' }, { problem: 'nameUsed' }],
  [
    'has a line twice',
    {
      members: [
        { lineId: 20, sign: 1 },
        { lineId: 20, sign: -1 },
      ],
    },
    { problem: 'lineTwice', lineId: 20 },
  ],
  [
    'counts a line and what that feeds through another',
    {
      to: '2026-01-31',
      members: [
        { lineId: 12, sign: 1 },
        { lineId: 11, sign: 1 },
      ],
    },
    { problem: 'fedByMember', lineId: 12, feederId: 11 },
  ],
  [
    'counts what counts for another on the same dates',
    { from: '2026-03-01', to: '2026-03-31', members: [{ lineId: 10, sign: 1 }] },
    { problem: 'lineElsewhere', lineId: 10, supply: '总表', from: '2026-03-01', to: '2026-03-31' },
  ],
])('one that %s cannot be', (_name, more, problem) => expect(problemsOf(more)).toEqual([problem]))

test('a line goes over to another supply on the date after the one before has ended', () => {
  const ended = { ...main, to: '2026-06-30' }
  const next = (from: string) => supplyProblems(supply({ from, members: main.members }), [ended], upstreamOf)
  expect(next('2026-07-01')).toEqual([])
  expect(next('2026-06-30')).toMatchObject([{ problem: 'lineElsewhere', from: '2026-06-30', to: '2026-06-30' }])
})

test('feeds that go round are no way up without end', () => {
  const round = (lineId: number): number | null => ({ 20: 21, 21: 20 })[lineId] ?? null
  expect(supplyProblems(supply({}), [], round)).toEqual([])
})

test('two supplies are refused a line exactly when a date has both', () => {
  const start = parseDate('2026-01-01') ?? 0
  const anySpan = fc.record({ first: fc.nat(40), days: fc.nat(20) })
  fc.assert(
    fc.property(anySpan, anySpan, (one, other) => {
      const spanOf = (supplyId: number, { first, days }: typeof one): BilledSupply => ({
        ...{ supplyId, name: `${supplyId}`, members: main.members },
        ...{ from: dateText(start + first), to: dateText(start + first + days) },
      })
      const [a, b] = [spanOf(1, one), spanOf(2, other)]
      const isBoth = Array.from({ length: 61 }, (_, day) => start + day).some(
        (day) => isSuppliedOn(a, day) && isSuppliedOn(b, day),
      )
      expect(supplyProblems(a, [b], upstreamOf).length > 0).toBe(isBoth)
    }),
    { numRuns: lawRuns(200) },
  )
})
