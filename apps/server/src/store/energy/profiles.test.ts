import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { rollUpDue } from '../history/rollup.ts'
import { takeBack } from '../history/take-back.ts'
import { makeDueQuarters } from './due.ts'
import { makeDueMonths } from './make-months.ts'
import { makeDueProfiles } from './make-profiles.ts'
import { readProfile } from './read.ts'
import { readMonths } from './read-months.ts'
import { day, energyHouse, main, midnight, other, project, steady, sub } from './test-energy.ts'

const house = energyHouse()
const firstHours = async () =>
  (await readProfile(house.database, project, { first: day, end: day + 1 }, 'all'))[0]?.quarters?.wh.slice(0, 8)

test('a project is what its lines used that nothing in it feeds, from the day on which that changes', async () => {
  const nextDay = midnight + dayMs
  for (const lineId of [main, sub, other]) await house.report(lineId, steady(midnight, nextDay + 2 * hourMs))
  await house.work(nextDay + 2 * hourMs + 5 * minuteMs)
  await house.client.query('update line set fed_by = 1 where line_id = 2')
  // As if it had been changed at one o'clock of the second day.
  await house.client.query('update feed_span set starts = $1', [new Date(nextDay + hourMs)])
  await house.client.query('insert into energy_profile_due values (1, $1), (1, $2)', ['2026-01-15', '2026-01-16'])
  await makeDueProfiles(house.client, nextDay + 2 * hourMs + 5 * minuteMs)
  const days = await house.daysOf(project, 0, 2)
  expect(days.map(({ used, fed, lines }) => [used, fed, lines])).toEqual([
    [3 * 24 * 600, false, 3],
    [2 * 2 * 600, true, 2],
  ])
})

test('a past of many days makes every one of them', async () => {
  await house.report(main, steady(midnight, midnight + 5 * dayMs))
  await house.work(midnight + 5 * dayMs + hourMs)
  const days = await house.daysOf(project, 0, 5)
  expect(days.map(({ used }) => used)).toEqual(Array(5).fill(24 * 600))
})

test('what one line does not know is lacking in the project, and the others are there', async () => {
  await house.report(main, steady(midnight, midnight + 2 * hourMs))
  await house.report(other, [...steady(midnight, midnight + hourMs), [midnight + hourMs + minuteMs, 100.61]])
  await house.work(midnight + 3 * hourMs)
  const [row] = await readProfile(house.database, project, { first: day, end: day + 1 }, 'all')
  expect(row?.quarters?.wh.slice(0, 9)).toEqual([300, 300, 300, 300, 150, 150, 150, 150, null])
  expect(row?.quarters?.missing?.slice(0, 8)).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
})

test('another zone has other days of the same quarters', async () => {
  await house.report(main, steady(midnight, midnight + dayMs))
  await house.work(midnight + dayMs + hourMs)
  await house.client.query("update project set time_zone = 'UTC'")
  await makeDueProfiles(house.client, midnight + dayMs + hourMs)
  const days = await house.daysOf(project, -1, 2)
  await house.client.query("update project set time_zone = 'Asia/Shanghai'")
  expect(days.map((each) => [each.day - day, each.used])).toEqual([
    [-1, 8 * 600],
    [0, 16 * 600],
  ])
})

test('a gateway that is moved takes its past along, and what is left of the projects is the sum of theirs', async () => {
  const { rows } = await house.client.query<{ id: number }>(
    "insert into project (city_id, name, time_zone) values (1, 'q', 'UTC') returning project_id as id",
  )
  const target = { kind: 'p', id: rows[0]?.id ?? 0 } as const
  const daysOf = async (scope: Parameters<typeof house.daysOf>[0]) =>
    (await house.daysOf(scope, -1, 1)).map((each) => [each.day - day, each.used])
  for (const lineId of [main, other]) await house.report(lineId, steady(midnight, midnight + dayMs))
  const now = midnight + dayMs + hourMs
  await house.work(now)
  await house.client.query('update gateway set project_id = $1 where gateway_id = 2', [target.id])
  await makeDueProfiles(house.client, now)
  expect(await daysOf(project)).toEqual([[0, 24 * 600]])
  const inUtc = [
    [-1, 8 * 600],
    [0, 16 * 600],
  ]
  expect(await daysOf(target)).toEqual(inUtc)
  expect(await daysOf({ kind: 'g', id: 2 })).toEqual(inUtc)

  await house.client.query('update gateway set project_id = $1', [target.id])
  // As if whoever made the day before had not seen it.
  await house.client.query(`insert into energy_profile (kind, id, day, project_id, wh, lines, fed, used, spread_used, estimated_used, entered_used, lacking, unknown)
    values ('p', 1, '2026-01-15', 1, '{1}', 1, false, 1, 0, 0, 0, 0, 0)`)
  await makeDueProfiles(house.client, now)
  expect(await daysOf(project)).toEqual([])
  expect(await daysOf(target)).toEqual(inUtc.map(([at, used]) => [at, 2 * (used ?? 0)]))
})

test('a gateway that was taken out feeds nothing and lacks nothing on the days after', async () => {
  await house.client.query('update line set fed_by = 1 where line_id = 3')
  await house.client.query("update feed_span set starts = '-infinity'")
  await house.report(main, steady(midnight, midnight + 12 * hourMs))
  await house.report(other, steady(midnight, midnight + 2 * dayMs))
  await house.client.query('update gateway set removed_at = $1 where gateway_id = 1', [new Date(midnight + 12 * hourMs)])
  await house.work(midnight + 2 * dayMs + hourMs)
  const days = await house.daysOf(project, 0, 2)
  expect(days.map(({ used, fed, lacking }) => [used, fed, lacking])).toEqual([
    // What it fed is not counted beside it; from noon on its day lacks what it does not tell.
    [12 * 600, true, 48],
    [24 * 600, false, 0],
  ])
})

test('of days that are due the latest is made first', async () => {
  await house.report(main, steady(midnight, midnight + 3 * dayMs))
  const now = midnight + 3 * dayMs + 5 * minuteMs
  await rollUpDue(house.client, new Date(now))
  await makeDueQuarters(house.client, now)
  let rounds = 0
  await makeDueProfiles(house.client, now, () => rounds++ > 0)
  const days = await house.daysOf(project, 0, 4)
  expect(days.map((each) => each.day - day)).toEqual([3])
})

test('old hours become even quarters, marked spread, to the Wh: what was counted after a silence is spread over all of it', async () => {
  await house.bring(main, midnight, [0.6, Number.NaN, 0.003, ...Array(30).fill(0.402)])
  await house.work(midnight + 40 * hourMs)
  expect(await house.whOf(main, midnight, midnight + 4 * hourMs)).toEqual([
    ...[150, 150, 150, 150, 0, 0, 1, 0, 0, 1, 0, 1, 100, 101, 100, 101],
  ])
  expect(await house.howOf(main, midnight, midnight + 3 * hourMs)).toEqual(Array(12).fill(1))
  const days = await house.daysOf(project, 0, 2)
  expect(days.map(({ used, spread, lacking }) => [used, spread, lacking])).toEqual([
    [603 + 21 * 402, 603 + 21 * 402, 0],
    [9 * 402, 9 * 402, 60],
  ])
})

test('a line that has energy since earlier lacks on the days after, as one lacks that was there', async () => {
  await house.report(other, steady(midnight, midnight + 3 * dayMs))
  await house.work(midnight + 3 * dayMs + hourMs)
  await house.bring(main, midnight, Array(24).fill(0.6))
  await house.work(midnight + 3 * dayMs + hourMs)
  const days = await house.daysOf(project, 0, 3)
  expect(days.map(({ lacking }) => lacking)).toEqual([0, 96, 96])
})

test('whatever is taken back of a line takes its energy along, and the project is the sum of what is left', async () => {
  for (const lineId of [main, other]) await house.report(lineId, steady(midnight, midnight + dayMs))
  await house.work(midnight + dayMs + hourMs)
  await house.dueAgain(main, midnight, midnight + hourMs)
  expect(await takeBack(house.client, { lineIds: [main, sub], gatewayIds: [1] })).toBe(true)
  for (const table of ['energy_quarter', 'energy_line', 'energy_due'])
    expect((await house.client.query(`select from ${table} where line_id = any ($1)`, [[main, sub]])).rowCount).toBe(0)
  const left = async (scope: Parameters<typeof readProfile>[1]) => (await house.daysOf(scope, 0, 1)).map(({ used }) => used)
  expect([await left(project), await left({ kind: 'g', id: 1 })]).toEqual([[], []])
  await house.work(midnight + dayMs + hourMs)
  expect([await left(project), await left({ kind: 'g', id: 1 })]).toEqual([[24 * 600], []])
})

test('a month that is over stands as one sum, and not a moment longer than it is true', async () => {
  const months = async () =>
    Promise.all(
      (['l', 'g', 'p'] as const).map(async (kind) => {
        const january = { first: Date.UTC(2026, 0, 1) / dayMs, end: Date.UTC(2026, 1, 1) / dayMs }
        const stored = await readMonths(house.database, { kind, id: 1 }, [january])
        return [...stored.values()].map(({ used, spread, known, complete }) => [used, spread, known, complete])
      }),
    )
  await house.report(main, [
    ...steady(midnight, midnight + hourMs),
    ...steady(midnight + 2 * hourMs, midnight + 3 * hourMs, 101.2),
  ])
  await house.work(midnight + 4 * hourMs)
  expect(await makeDueMonths(house.client, midnight + dayMs)).toBe(0)
  const february = Date.UTC(2026, 1, 3)
  expect(await makeDueMonths(house.client, february)).toBe(1)
  expect(await months()).toEqual(Array(3).fill([[1_800, 600, 12, 12]]))
  await house.report(main, steady(midnight + 3 * hourMs, midnight + 4 * hourMs, 101.8))
  await rollUpDue(house.client, new Date(february))
  await makeDueQuarters(house.client, february)
  expect((await months())[0]).toEqual([])
  await makeDueProfiles(house.client, february)
  expect(await months()).toEqual([[], [], []])
  await makeDueMonths(house.client, february)
  expect(await months()).toEqual(Array(3).fill([[2_400, 600, 16, 16]]))
  await house.client.query("update project set time_zone = 'UTC'")
  await house.client.query("update project set time_zone = 'Asia/Shanghai'")
  expect(await months()).toEqual([[], [], []])
})

test('two servers at once make the same as one', async () => {
  await house.report(main, steady(midnight, midnight + 5 * hourMs))
  await house.report(other, steady(midnight, midnight + 5 * hourMs, 7))
  const now = midnight + 5 * hourMs + 5 * minuteMs
  await rollUpDue(house.client, new Date(now))
  const second = await house.database.connect()
  try {
    await Promise.all([makeDueQuarters(house.client, now), makeDueQuarters(second, now)])
    await Promise.all([makeDueProfiles(house.client, now), makeDueProfiles(second, now)])
  } finally {
    await second.end()
  }
  expect(await house.whOf(main, midnight, midnight + 5 * hourMs)).toEqual(Array(20).fill(150))
  expect(await firstHours()).toEqual(Array(8).fill(300))
})
