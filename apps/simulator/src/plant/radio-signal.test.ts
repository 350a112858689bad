import { expect, test } from 'vitest'
import { RadioSignal } from './radio-signal.ts'

const day = (number: string) => {
  const signal = new RadioSignal(number, 0)
  const values: number[] = []
  for (let now = 0; now < 86_400_000; now += 1_000) if (signal.step(now)) values.push(signal.dbm)
  return values
}

test('a gateway says its signal once a minute, in whole dBm that wander slowly and stay what a radio can hear', () => {
  const values = day('GW-1')
  expect(values.length).toBeGreaterThanOrEqual(1_439)
  expect(values.every((dbm) => Number.isInteger(dbm) && dbm >= -110 && dbm <= -50)).toBe(true)
  expect(new Set(values).size).toBeGreaterThan(3)
  expect(Math.max(...values.slice(1).map((dbm, i) => Math.abs(dbm - (values[i] ?? 0))))).toBeLessThanOrEqual(6)
})

test('two gateways stand in different places, and each stands there again the next day', () => {
  expect(day('GW-1')).not.toEqual(day('GW-2'))
  expect(day('GW-1')).toEqual(day('GW-1'))
})
