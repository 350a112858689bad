import { hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { registerKwhAt } from './register-at.ts'

const at = Date.UTC(2026, 2, 1)
const read = (beforeMs: number | null, afterMs: number | null, rise = 6) => ({
  before: beforeMs === null ? null : { at: at - beforeMs, kwh: 100 },
  after: afterMs === null ? null : { at: at + afterMs, kwh: 100 + rise },
})
const periodMs = minuteMs

test.each([
  ['a reading at the instant', read(0, 0), 100],
  ['straight between two readings', read(2 * minuteMs, 4 * minuteMs), 102],
  ['a silence that begins just before it', read(minuteMs, 59 * minuteMs), 100.1],
  ['a silence that ends a quarter of an hour after it', read(45 * minuteMs, 15 * minuteMs), 104.5],
  ['a silence of days around it', read(48 * hourMs, 24 * hourMs), null],
  ['nothing before it', read(null, minuteMs), null],
  ['nothing after it', read(minuteMs, null), null],
  ['a register that fell', read(minuteMs, minuteMs, -50), null],
])('%s', (_name, beside, kwh) => {
  const shown = registerKwhAt(beside, at, periodMs)
  if (kwh === null) expect(shown).toBe(null)
  else expect(shown).toBeCloseTo(kwh, 9)
})

test('a line that reports each hour is silent after three of them', () => {
  expect(registerKwhAt(read(3 * hourMs, 3 * hourMs), at, hourMs)).toBe(103)
  expect(registerKwhAt(read(4 * hourMs, 4 * hourMs), at, hourMs)).toBe(null)
})
