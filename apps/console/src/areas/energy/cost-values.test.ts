import { expect, test } from 'vitest'
import { feeText, meanPrice, valleyShare } from './cost-values.ts'

test('a cost is about so much, to the fen, and what is not known is a dash', () => {
  expect(feeText('1234567.885')).toBe('≈ 1,234,567.89')
  expect(feeText('-0.005')).toBe('≈ −0.01')
  expect(feeText('12')).toBe('≈ 12.00')
  expect(feeText(null)).toBe('–')
})

test('a mean price is of what was used', () => {
  expect(meanPrice('86838', 98_600_000)).toBe('0.8807')
  expect(meanPrice('0', 0)).toBeNull()
  expect(meanPrice(null, 1_000)).toBeNull()
})

test('valleys are both of them, and a tariff without any has no share', () => {
  expect(valleyShare(['peak', 'valley', 'deepValley'], { ByBand: [50, 30, 20] })).toBe(0.5)
  expect(valleyShare(['flat'], { ByBand: [50] })).toBeNull()
  expect(valleyShare(['peak', 'valley'], { ByBand: [0, 0] })).toBeNull()
})
