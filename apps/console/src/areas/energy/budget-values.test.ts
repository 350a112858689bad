import { expect, test } from 'vitest'
import { typedAmount, typedThresholds, valueText } from './budget-values.ts'

test('amounts are typed in kWh or in money, and thresholds in per cent', () => {
  expect([typedAmount('12,000.5', 'energy', 2), typedAmount('0.01', 'money', 2), typedAmount('500', 'money', 0)]).toEqual([
    ...[12_000_500, 1, 500],
  ])
  expect([typedAmount('0', 'energy', 2), typedAmount('-1', 'energy', 2), typedAmount('much', 'money', 2)]).toEqual([
    null,
    null,
    null,
  ])
  expect([typedThresholds('100，80 80'), typedThresholds(''), typedThresholds('0'), typedThresholds('1,2,3,4,5,6')]).toEqual([
    ...[[80, 100], [], null, null],
  ])
})

test('a value is shown in kWh, or in money with its places', () => {
  const budget = (Kind: 'energy' | 'money') => ({
    Budget: { Kind } as never,
    Currency: 'CNY',
    MinorDigits: Kind === 'money' ? 2 : 0,
  })
  expect([valueText(budget('energy'), 1_234_500), valueText(budget('money'), 123_456)]).toEqual(['1,235', '1,234.56'])
})
