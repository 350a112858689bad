import { expect, test } from 'vitest'
import { RadioSignal } from './radio-signal.ts'

const day = (number: string) => {
  const signal = new RadioSignal(number, 0)
  const said: number[] = []
  for (let now = 0; now < 86_400_000; now += 1_000) if (signal.step(now)) said.push(signal.dbm)
  return said
}

test('a gateway says its signal once a minute, in whole dBm that wander slowly and stay what a radio can hear', () => {
  const said = day('GW-1')
  expect(said.length).toBeGreaterThanOrEqual(1_439)
  expect(said.every((dbm) => Number.isInteger(dbm) && dbm >= -110 && dbm <= -50)).toBe(true)
  expect(new Set(said).size).toBeGreaterThan(3)
  expect(Math.max(...said.slice(1).map((dbm, i) => Math.abs(dbm - (said[i] ?? 0))))).toBeLessThanOrEqual(6)
})

test('two gateways stand in different places, and each stands there again the next day', () => {
  expect(day('GW-1')).not.toEqual(day('GW-2'))
  expect(day('GW-1')).toEqual(day('GW-1'))
})
