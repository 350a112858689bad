import { expect, test } from 'vitest'
import type { MomentKind } from './moment-text.ts'
import { momentIn, momentText, partAt, stepped } from './moment-text.ts'

const at = Date.UTC(2026, 0, 31, 8, 5, 9)

test('what is written is read back, whatever it holds', () => {
  const written = { day: '2026-01-31', minute: '2026-01-31 08:05', second: '2026-01-31 08:05:09', clock: '08:05' }
  for (const [kind, text] of Object.entries(written) as [MomentKind, string][]) {
    expect(momentText(kind, at)).toBe(text)
    expect(momentText(kind, momentIn(kind, text) ?? Number.NaN)).toBe(text)
  }
})

test.each([
  ['second', '2026-01-31T08:05', Date.UTC(2026, 0, 31, 8, 5)],
  ['minute', ' 2026/1/31 8：05 ', Date.UTC(2026, 0, 31, 8, 5)],
  ['day', '2026年1月31日', Date.UTC(2026, 0, 31)],
  ['day', '2024-02-29', Date.UTC(2024, 1, 29)],
] as const)('a %s is also read from %s', (kind, text, expected) => {
  expect(momentIn(kind, text)).toBe(expected)
})

test.each([
  ['day', '2026-02-29'],
  ['day', '2026-13-01'],
  ['day', '01/31/2026'],
  ['day', ''],
  ['minute', '2026-01-31'],
  ['minute', '2026-01-31 24:00'],
  ['clock', '8:60'],
  ['second', '2026-01-31 08:05:60'],
] as const)('no %s: "%s"', (kind, text) => {
  expect(momentIn(kind, text)).toBeNull()
})

test.each([
  ['second', 0, 'y', 0, 4],
  ['second', 6, 'M', 5, 7],
  ['second', 19, 's', 17, 19],
  ['clock', 3, 'm', 3, 5],
] as const)('in a %s the caret at %i stands in %s', (kind, caret, unit, from, to) => {
  expect(partAt(kind, caret)).toEqual({ unit, from, to })
})

test.each([
  ['day', 'M', 1, '2026-02-28'],
  ['day', 'y', -1, '2025-01-31'],
  ['day', 'd', 1, '2026-02-01'],
  ['minute', 'h', -9, '2026-01-30 23:05'],
  ['clock', 'h', -9, '23:05'],
] as const)('in a %s a step of %s by %i ends at %4$s', (kind, unit, by, expected) => {
  expect(momentText(kind, stepped(kind, momentIn(kind, momentText(kind, at)) ?? 0, unit, by))).toBe(expected)
})
