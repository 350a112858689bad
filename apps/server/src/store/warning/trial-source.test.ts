import { foldOvercurrent, newOvercurrentState } from '@linewarden/rules/warning'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { linesAboveFor, samplesIn } from './trial-source.ts'

// What the database leaves out of a back-test against what the detector itself makes of the same samples.
const start = Date.UTC(2026, 0, 15)
const dayMs = 86_400_000
let made: TestDatabase
let client: pg.Client

beforeAll(async () => {
  made = await testDatabase()
  client = await made.database.connect()
})
afterAll(async () => {
  await client?.end()
  await made?.drop()
})

/** Currents at, just beside and far from a limit, as a gateway may send them; null is not known. */
const amperes = (limit: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(limit * 1.2, limit + 0.1, limit * (1 + 2e-7)) },
    { weight: 1, arbitrary: fc.constantFrom(limit, limit * (1 - 2e-7), limit * 0.97, 0, null, Number.NaN) },
  )
const line = fc.constantFrom(6.3, 16.1, 16.4, 63, 100.7, 399.99).chain((limit) =>
  fc.record({
    limit: fc.constant(limit),
    phases: fc.integer({ min: 1, max: 3 }),
    periodMs: fc.constantFrom(1_000, 60_000, 300_000),
    samples: fc.array(
      fc.record({
        gapMs: fc.constantFrom(1, 999, 20_000, 60_000, 60_001, 180_000, 600_000, 600_001, 900_000),
        values: fc.tuple(amperes(limit), amperes(limit), amperes(limit)),
      }),
      { maxLength: 30 },
    ),
  }),
)

test('no line on which overcurrent would be raised is left out, and none that never carried more than its limit is read', async () => {
  let [raised, left] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 10, maxLength: 20 }), fc.constantFrom(1, 2, 10), async (lines, minutes) => {
      await client.query('delete from reading')
      const rows = lines.flatMap(({ samples }, nth) => {
        let at = start
        return samples.map(({ gapMs, values }) => {
          at += gapMs
          return { line: nth + 1, at: new Date(at), values }
        })
      })
      await client.query(
        `insert into reading (line_id, at, received_at, quality, v0, v1, v2)
         select line, at, at, 0, v0, v1, v2 from unnest($1::int[], $2::timestamptz[], $3::real[], $4::real[], $5::real[])
           as given (line, at, v0, v1, v2)`,
        [
          rows.map((each) => each.line),
          rows.map((each) => each.at),
          ...[0, 1, 2].map((nth) => rows.map(({ values }) => values[nth])),
        ],
      )
      const stretches = lines.map(({ limit, phases }, nth) => ({
        ...{ lineId: nth + 1, begins: start, ends: start + dayMs, limit, phases },
      }))
      const read = await samplesIn(client, stretches, 'currents')
      const kept = await linesAboveFor(client, stretches, minutes * 60_000)
      for (const [nth, { limit, phases, periodMs }] of lines.entries()) {
        const own = read.filter(([id]) => id === nth + 1)
        const changes = Array.from({ length: phases }, newOvercurrentState).flatMap((state, phase) =>
          own.flatMap(([, at, ...values]) => {
            const of = { at, amperes: values[phase] ?? Number.NaN }
            const given = { limitA: limit, point: 'I', periodMs }
            return foldOvercurrent({ minutes, release: 0.95 }, state, of, given) ?? []
          }),
        )
        const isRaised = changes.some(({ kind }) => kind === 'raised')
        if (isRaised) expect([...kept]).toContain(nth + 1)
        const isBelow = own.every(([, , ...values]) =>
          values.slice(0, phases).every((value) => value != null && value < limit * (1 - 1e-5)),
        )
        if (isBelow) expect([...kept]).not.toContain(nth + 1)
        raised += Number(isRaised)
        left += Number(!kept.has(nth + 1))
      }
    }),
    { numRuns: 40, seed: 93 },
  )
  expect(Math.min(raised, left)).toBeGreaterThan(20)
})
