import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { Meter } from '@linewarden/rules/energy'
import { correctedAt, plainMeter, quarterMs, replacedAt } from '@linewarden/rules/energy'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { meterReadings, metersOf, saveMeters, versionOf } from './meters.ts'
import { energyHouse, main, midnight, project, steady } from './test-energy.ts'

const house = energyHouse()
beforeEach(() => house.client.query('truncate meter_span'))

const always = Number.NEGATIVE_INFINITY
const { from: _, to: __, ...plain } = plainMeter
const typed = (more: Partial<Meter>) => ({ ...plain, ...more })

/** As somebody saves them, over those that there are. */
async function save(now: number, plan: (before: readonly Meter[]) => readonly Meter[] | null): Promise<void> {
  const db = house.database.general
  const before = (await metersOf(db, [main])).get(main) ?? []
  const saved = await saveMeters(
    db,
    { projectId: 1, owner: null, lineId: main, version: versionOf(before), reason: '换表', name: 'owner', at: now },
    (own) => Promise.resolve(plan(own) ?? []),
    (one, other) => ({
      ...{ at: now, actor: 'owner', address: '', action: 'meter.correct', outcome: 'done', tenant: null },
      ...{ subject: { kind: 'line', id: 'C/1', gatewayId: 1 }, before: one.length, after: other.length },
    }),
  )
  expect(saved).not.toBe('changed')
}
const sumOf = async (from: number, to: number) =>
  (await house.whOf(main, from, to)).reduce<number>((sum, each) => sum + (each ?? 0), 0)

test('a wrong multiplier that is corrected makes all quarters anew, and the days of the project', async () => {
  const end = midnight + 30 * hourMs
  const now = end + 5 * minuteMs
  await house.report(main, steady(midnight, end))
  await house.work(now)
  expect(await sumOf(midnight, end)).toBe(18_000)
  await save(now, () => correctedAt([plainMeter], 0, typed({ multiplier: 0.5 }), always))
  await house.work(now)
  expect(await house.whOf(main, midnight, midnight + hourMs)).toEqual([75, 75, 75, 75])
  expect(await sumOf(midnight, end)).toBe(9_000)
  expect((await house.daysOf(project, 0, 2)).map(({ used }) => used)).toEqual([7_200, 1_800])
  await save(now, (meters) => correctedAt(meters, 0, typed({ multiplier: 40 }), always))
  await house.work(now)
  expect(await sumOf(midnight, end)).toBe(720_000)
})

test('hours of which no readings are left go by the multiplier of their time, and a silence among them stays spread', async () => {
  const now = midnight + 30 * dayMs
  await house.bring(main, midnight, [1, 1])
  // A silence of three hours, in whose last hour all of it was counted.
  await house.bring(main, midnight + 5 * hourMs, [4, 1])
  await house.work(now)
  expect(await house.whOf(main, midnight + 2 * hourMs, midnight + 6 * hourMs)).toEqual(Array(16).fill(250))
  await save(now, () => replacedAt([], midnight + 6 * hourMs, { endRegisterKwh: null, next: typed({ multiplier: 10 }) }))
  await house.work(now)
  expect(await house.whOf(main, midnight, midnight + 7 * hourMs)).toEqual([...Array(24).fill(250), ...Array(4).fill(2_500)])
  await save(now, (meters) => correctedAt(meters, 0, typed({ multiplier: 2 }), always))
  await house.work(now)
  expect(await house.whOf(main, midnight, midnight + 7 * hourMs)).toEqual([...Array(24).fill(500), ...Array(4).fill(2_500)])
})

test('what was read off where a meter was replaced closes the hole between its last reading and the first of the next', async () => {
  const [out, back] = [midnight + 2 * hourMs, midnight + 3 * hourMs]
  const now = midnight + 4 * hourMs + 5 * minuteMs
  // The old one is last read at 101.2 kWh, the new one first at 5.6.
  await house.report(main, [...steady(midnight, out), ...steady(back, back + hourMs, 5.6)])
  await house.work(now)
  const half = out + 2 * quarterMs
  await save(now, () => replacedAt([], half, { endRegisterKwh: null, next: typed({ serial: 'B' }) }))
  await house.work(now)
  // Nobody read anything off: what was used meanwhile is not known.
  expect(await house.whOf(main, out - quarterMs, back + quarterMs)).toEqual([150, null, null, null, null, 150])
  await save(now, (meters) => correctedAt(meters, 0, typed({ endRegisterKwh: 101.4 }), always))
  await save(now, (meters) => correctedAt(meters, 1, typed({ serial: 'B', startRegisterKwh: 5 }), half))
  await house.work(now)
  expect(await house.whOf(main, out, back)).toEqual([100, 100, 300, 300])
  expect(await house.howOf(main, out - quarterMs, back + quarterMs)).toEqual([0, 1, 1, 1, 1, 0])
  // (101.4 - 100) + (6.2 - 5)
  expect(await sumOf(midnight, back + hourMs)).toBe(2_600)
})

test('a register that begins again at its end goes on, once somebody says where that is', async () => {
  const now = midnight + 2 * hourMs + 5 * minuteMs
  await house.report(
    main,
    [...steady(midnight, midnight + hourMs, 999.2), ...steady(midnight + hourMs + minuteMs, midnight + 2 * hourMs, -0.19)].map(
      ([at, kwh]) => [at, kwh < 0 ? 1_000 + kwh : kwh] as const,
    ),
  )
  await house.work(now)
  await save(now, () => correctedAt([plainMeter], 0, typed({ registerMaxKwh: 1_000 }), always))
  await house.work(now)
  expect(await sumOf(midnight, midnight + 2 * hourMs)).toBe(1_200)
})

test('the readings of a meter are those of its time, and its highest', async () => {
  await house.report(main, [
    [midnight, 5],
    [midnight + 1, 9],
    [midnight + 2, 7],
    [midnight + 3, 8],
  ])
  const kwhOf = async (from: number, to: number | null, registerMaxKwh: number | null = 10) => {
    const { first, last, highest } = await meterReadings(house.database.general, main, { from, to, registerMaxKwh })
    return [first?.kwh, last?.kwh, highest?.kwh]
  }
  expect(await kwhOf(always, midnight + 3)).toEqual([5, 7, 9])
  expect(await kwhOf(midnight + 2, null)).toEqual([7, 8, 8])
  expect(await kwhOf(midnight + 2, null, null)).toEqual([7, 8, undefined])
  expect(await kwhOf(midnight + 4, null)).toEqual([undefined, undefined, undefined])
})

test('whatever was entered before, quarters are those of the meters that there are', async () => {
  const end = midnight + 5 * hourMs
  const now = end + 5 * minuteMs
  const anAct = fc.record({
    at: fc.integer({ min: 1, max: 290 }),
    multiplier: fc.constantFrom(1, 2, 0.5, 80),
    end: fc.option(fc.nat(3)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { minLength: 1, maxLength: 4 }), fc.nat(1), async (acts, undone) => {
      await house.client.query('truncate meter_span, reading, reading_hour, energy_quarter, energy_line, energy_due')
      await house.report(main, steady(midnight, end))
      await house.work(now)
      for (const { at, multiplier, end: above } of acts)
        await save(now, (meters) => {
          const endRegisterKwh = above === null ? null : 100 + at / 100 + above
          return replacedAt(meters, midnight + at * minuteMs, { endRegisterKwh, next: typed({ multiplier }) }) ?? meters
        })
      if (undone === 1) await save(now, (meters) => correctedAt(meters, 0, typed({ multiplier: 3 }), always))
      await house.work(now)
      const [wh, how] = [await house.whOf(main, midnight, end), await house.howOf(main, midnight, end)]
      await house.client.query('truncate energy_quarter, energy_line, energy_due')
      await house.dueAgain(main, midnight, end)
      await house.work(now)
      expect(await house.whOf(main, midnight, end)).toEqual(wh)
      expect(await house.howOf(main, midnight, end)).toEqual(how)
    }),
    { numRuns: 12 },
  )
})

test('quarters whose readings are gone stay measured, and a day of them sums to the Wh', async () => {
  const now = midnight + 30 * hourMs
  const uneven = Array.from(
    { length: 4 * 12 + 1 },
    (_, index) => [midnight + index * quarterMs, (index * index) / 1_000] as const,
  )
  await house.report(main, uneven)
  await house.work(now)
  const known = await house.whOf(main, midnight, midnight + 12 * hourMs)
  // The last hour of readings is left.
  await house.client.query('delete from reading where at < $1', [new Date(midnight + 11 * hourMs)])
  await save(now, () => correctedAt([plainMeter], 0, typed({ multiplier: 0.3333 }), always))
  await house.work(now)
  const scaled = await house.whOf(main, midnight, midnight + 12 * hourMs)
  expect(new Set(await house.howOf(main, midnight, midnight + 12 * hourMs))).toEqual(new Set([0]))
  // Two days of UTC: each sums to the Wh.
  expect(Math.abs((await sumOf(midnight, midnight + 12 * hourMs)) - 2_304 * 0.3333)).toBeLessThanOrEqual(1)
  for (const [index, wh] of scaled.entries()) expect(Math.abs((wh ?? 0) - (known[index] ?? 0) * 0.3333)).toBeLessThanOrEqual(1)
})
