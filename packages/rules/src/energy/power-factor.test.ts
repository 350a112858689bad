import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { PowerFactorStandard } from './power-factor.ts'
import { cosHundredths, isTypedOnce, powerFactorAdjustment, powerFactorStandards, typedCos } from './power-factor.ts'

// The tables of (83)水电财字215号 as they are printed, cell by cell: power factor in hundredths and per cent.
const tables: Readonly<Record<PowerFactorStandard, string>> = {
  90: `100 -0.75 99 -0.75 98 -0.75 97 -0.75 96 -0.75 95 -0.75 94 -0.60 93 -0.45 92 -0.30 91 -0.15 90 0
    89 0.5 88 1.0 87 1.5 86 2.0 85 2.5 84 3.0 83 3.5 82 4.0 81 4.5 80 5.0 79 5.5 78 6.0 77 6.5 76 7.0 75 7.5 74 8.0 73 8.5
    72 9.0 71 9.5 70 10.0 69 11.0 68 12.0 67 13.0 66 14.0 65 15.0 64 17.0 63 19.0 62 21.0`,
  85: `100 -1.10 95 -1.10 94 -1.10 93 -0.95 92 -0.80 91 -0.65 90 -0.50 89 -0.40 88 -0.30 87 -0.20 86 -0.10 85 0
    84 0.5 83 1.0 82 1.5 81 2.0 80 2.5 79 3.0 78 3.5 77 4.0 76 4.5 75 5.0 74 5.5 73 6.0 72 6.5 71 7.0 70 7.5 69 8.0 68 8.5
    67 9.0 66 9.5 65 10.0 64 11.0 63 12.0 62 13.0 61 14.0 60 15.0 59 17.0 58 19.0`,
  80: `100 -1.30 93 -1.30 92 -1.30 91 -1.15 90 -1.00 89 -0.90 88 -0.80 87 -0.70 86 -0.60 85 -0.50 84 -0.40 83 -0.30 82 -0.20
    81 -0.10 80 0 79 0.5 78 1.0 77 1.5 76 2.0 75 2.5 74 3.0 73 3.5 72 4.0 71 4.5 70 5.0 69 5.5 68 6.0 67 6.5 66 7.0 65 7.5
    64 8.0 63 8.5 62 9.0 61 9.5 60 10.0 59 11.0 58 12.0 57 13.0 56 14.0 55 15.0 54 17.0 53 19.0`,
}

test.each(powerFactorStandards)('the adjustment by the standard of %i hundredths is that of the printed table', (standard) => {
  const cells = tables[standard].split(/\s+/).map(Number)
  const wrong = cells.flatMap((hundredths, index) => {
    if (index % 2 === 1) return []
    const expected = Math.round((cells[index + 1] ?? 0) * 100)
    const found = powerFactorAdjustment(standard, hundredths)
    return found === expected ? [] : [`${hundredths}: ${found} and not ${expected}`]
  })
  expect(wrong).toEqual([])
})

test.each(powerFactorStandards)('a better power factor never costs more, by the standard of %i hundredths', (standard) => {
  for (let hundredths = 1; hundredths <= 100; hundredths++)
    expect(powerFactorAdjustment(standard, hundredths)).toBeLessThanOrEqual(powerFactorAdjustment(standard, hundredths - 1))
})

test('a power factor is typed as itself or by both energies, and never by half of them', () => {
  const typed = (cos: number | null, activeWh: number | null, reactiveVarh: number | null) => ({
    cosHundredths: cos,
    activeWh,
    reactiveVarh,
  })
  expect([typed(93, null, null), typed(null, 158_300_000, 62_562_000), typed(null, 1, 0)].map(typedCos)).toEqual([93, 93, 100])
  const [byCos, byBoth] = [typed(93, null, null), typed(null, 2, 1)]
  expect([byCos, byBoth].map(isTypedOnce)).toEqual([true, true])
  const halves = [typed(null, null, null), typed(null, 2, null), typed(null, null, 1), typed(93, 2, 1), typed(93, null, 1)]
  expect(halves.some(isTypedOnce)).toBe(false)
})

test('a power factor is rounded half up to its second place', () => {
  expect(cosHundredths(158_300_000, 62_562_000)).toBe(93)
  expect([cosHundredths(1, 0), cosHundredths(0, 1), cosHundredths(null, 1), cosHundredths(1, null)]).toEqual([
    100,
    null,
    null,
    null,
  ])
  // By a hair on either side of 0.285.
  expect([cosHundredths(2_850_001, 9_585_275), cosHundredths(2_849_999, 9_585_276)]).toEqual([29, 28])
})

test('hundredths of a power factor lie within half of one of what a float says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 10 ** 12 }), (active, reactive) => {
      const found = cosHundredths(active, reactive)!
      expect(Math.abs(found - (100 * active) / Math.hypot(active, reactive))).toBeLessThanOrEqual(0.5 + 1e-9)
    }),
    { numRuns: lawRuns(500) },
  )
})
