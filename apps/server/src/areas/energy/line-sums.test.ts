import { civilZone } from '@linewarden/rules/automation'
import { expect, test } from 'vitest'
import type { Database } from '../../store/core/database.ts'
import { maxLineDays, sumsOf } from './line-sums.ts'

/** Nothing may be read of it. */
const untouched = Object.freeze({}) as Database
const first = Date.UTC(2016, 0, 1) / 86_400_000
const linesOf = (count: number, days: number) =>
  Array.from({ length: count }, (_, lineId) => ({ lineId, periods: [{ first, end: first + days }] }))
const asked = (count: number, days: number) =>
  sumsOf(untouched, civilZone('Asia/Shanghai'), linesOf(count, days), Date.UTC(2026, 0))

test('too many lines for so long a time are refused before anything is read', async () => {
  const refusal = { problems: [{ Path: 'query.To' }] }
  await expect(asked(10_000, 3_653)).rejects.toMatchObject(refusal)
  await expect(asked(maxLineDays / 20 + 1, 20)).rejects.toMatchObject(refusal)
  // A whole month counts as one: these are read.
  await expect(asked(200, 3_653)).rejects.not.toMatchObject(refusal)
  await expect(asked(10_000, 31)).rejects.not.toMatchObject(refusal)
})
