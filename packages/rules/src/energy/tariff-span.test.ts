import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { TariffVersion } from './tariff.ts'
import { versionOn } from './tariff.ts'
import { areTariffsInOrder, pricedSpan, tariffOn } from './tariff-span.ts'
import { factoryTariff } from './test-tariff.ts'

const version = (id: number, validFrom: string, validTo: string | null, publishedAt: number | null = id): TariffVersion => ({
  ...factoryTariff,
  ...{ id, validFrom, validTo, publishedAt },
})
const day = (date: string) => parseDate(date) ?? 0

test('an open end ends the day before the next version, and the same dates supersede', () => {
  const [open, next, again] = [
    version(1, '2026-01-01', null),
    version(2, '2026-07-01', '2026-12-31'),
    version(3, '2026-07-01', '2026-12-31'),
  ]
  const all = [open, next, again, version(4, '2026-03-01', null, null)]
  expect(pricedSpan(all, open)).toEqual({ superseded: false, last: '2026-06-30' })
  expect(pricedSpan(all, next)).toEqual({ superseded: true, last: null })
  expect(pricedSpan(all, again)).toEqual({ superseded: false, last: '2026-12-31' })
  expect(pricedSpan([open], open)).toEqual({ superseded: false, last: null })
})

test('the span of a version is exactly the dates that it prices', () => {
  const start = day('2026-01-01')
  const anyVersions = fc
    .uniqueArray(fc.nat(30), { minLength: 1, maxLength: 5 })
    .map((starts) => starts.map((first, index) => version(index + 1, dateText(start + first), null)))
  fc.assert(
    fc.property(anyVersions, (versions) => {
      for (const each of versions) {
        const { superseded, last } = pricedSpan(versions, each)
        for (let at = start; at < start + 40; at++) {
          const isIn = !superseded && at >= day(each.validFrom) && (last === null || at <= day(last))
          expect(versionOn(versions, at)?.id === each.id).toBe(isIn)
        }
      }
    }),
    { numRuns: lawRuns(100) },
  )
})

test('each date of a supply has exactly one tariff', () => {
  const tariffs = [
    { tariffId: 1, from: null },
    { tariffId: 2, from: '2026-07-01' },
  ]
  expect(areTariffsInOrder(tariffs, '2026-01-01')).toBe(true)
  expect(['2020-01-01', '2026-06-30', '2026-07-01'].map((date) => tariffOn(tariffs, day(date)))).toEqual([1, 1, 2])
  expect(tariffOn([], day('2026-01-01'))).toBeNull()
})

test.each([
  ['a first one that begins later', [{ tariffId: 1, from: '2026-02-01' }]],
  [
    'two from the beginning',
    [
      { tariffId: 1, from: null },
      { tariffId: 2, from: null },
    ],
  ],
  [
    'two on one date',
    [
      { tariffId: 1, from: null },
      { tariffId: 2, from: '2026-03-01' },
      { tariffId: 3, from: '2026-03-01' },
    ],
  ],
  [
    'one before the supply begins',
    [
      { tariffId: 1, from: null },
      { tariffId: 2, from: '2025-12-31' },
    ],
  ],
  [
    'one on no date',
    [
      { tariffId: 1, from: null },
      { tariffId: 2, from: '2026-02-30' },
    ],
  ],
])('%s is no order of tariffs', (_name, tariffs) => expect(areTariffsInOrder(tariffs, '2026-01-01')).toBe(false))
