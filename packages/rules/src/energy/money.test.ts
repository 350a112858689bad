import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { divideHalfAway, largestRemainder, minorText, parsePrice, roundToMinor } from './money.ts'

const numRuns = lawRuns(500)
const sum = (parts: readonly bigint[]) => parts.reduce((one, other) => one + other, 0n)

test('a price is read to its last place', () => {
  expect(['0.1357', '1', '-0.5', '40.8000', '0.00000001'].map(parsePrice)).toEqual([
    13_570_000n,
    100_000_000n,
    -50_000_000n,
    4_080_000_000n,
    1n,
  ])
  expect(['', '.5', '1.', '0.123456789', '1e3', '1,5', '+1', ' 1', '12345678901'].map(parsePrice)).toEqual(Array(9).fill(null))
})

test('a half is rounded away from nought, of a credit as of a charge', () => {
  expect([5n, -5n, 4n, -4n, 15n, -15n].map((each) => divideHalfAway(each, 10n))).toEqual([1n, -1n, 0n, 0n, 2n, -2n])
  expect(roundToMinor(-68_089_144_500_000n, 2)).toBe(-68_089n)
  expect(roundToMinor(50_000_000_000n, 0)).toBe(1n)
})

test('money is printed with its places', () =>
  expect([minorText(15_526_651n, 2), minorText(-5n, 2), minorText(0n, 2), minorText(120n, 0)]).toEqual([
    '155266.51',
    '-0.05',
    '0.00',
    '120',
  ]))

/** The price as the shortest text again. */
const priceText = (price: bigint) => {
  const digits = String(price < 0n ? -price : price).padStart(9, '0')
  return `${price < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

test('every price comes back from its text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -99_999_999_999_999_999n, max: 99_999_999_999_999_999n }), (price) => {
      expect(parsePrice(priceText(price))).toBe(price)
    }),
    { numRuns },
  )
})

test('what is rounded is nearest to what was, and of two as near the one further from nought', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 9n }), (value, by) => {
      const rounded = divideHalfAway(value, by)
      const twiceOff = 2n * (value - rounded * by)
      expect(twiceOff <= by && twiceOff >= -by).toBe(true)
      if (twiceOff === by || twiceOff === -by) expect(rounded < 0n ? twiceOff > 0n : twiceOff < 0n).toBe(true)
      expect(divideHalfAway(-value, by)).toBe(-rounded)
    }),
    { numRuns },
  )
})

test('rounded parts sum to the rounded whole, none further off than a unit, and equal ones go by their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { maxLength: 30 }),
      fc.constantFrom(1n, 10n, 1_000n, 10n ** 9n),
      (parts, unit) => {
        const rounded = largestRemainder(parts, unit)
        expect(sum(rounded)).toBe(divideHalfAway(sum(parts), unit))
        for (const [index, each] of rounded.entries()) {
          const off = each * unit - parts[index]!
          expect(off < unit && off > -unit).toBe(true)
        }
      },
    ),
    { numRuns },
  )
  expect(largestRemainder([5n, 5n, 5n, 5n], 10n)).toEqual([1n, 1n, 0n, 0n])
  expect(largestRemainder([], 10n)).toEqual([])
})
