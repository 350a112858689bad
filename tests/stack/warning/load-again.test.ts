import type { Client } from '@linewarden/client'
import { listLoadAgain, listWarningRules, updateWarningRule } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { diceOf } from '../../kit/warning-truth/dice.ts'
import { lineTruth } from '../../kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../../kit/warning-truth/seeded-hours.ts'

// Lines that may be overloaded today, by the calendar of their project. Noon in Shanghai of Saturday 10 October 2026, which is worked for
// the National Day that ended on the 7th.
const noon = Date.UTC(2026, 9, 10, 4)
const today = Math.floor(noon / dayMs)
const [firstDay, offsetHours] = [firstDayOf(today, 21), 8]
const [thursday, friday] = [today - 2, today - 1]
let now = noon

let stack: Stack
let client: pg.Client
let admin: Client

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now })
  client = await stack.server.database.connect()
  for (const line of stack.server.plant.lines.values()) line.reported.set('overload.warning', 50)
})
afterAll(async () => {
  await client?.end()
  await stack?.close()
})
beforeEach(async () => {
  now = noon
  await client.query('delete from line_look; delete from day_class; delete from owner_day_class')
  admin = await signedIn(stack.url, stack.admin, () => now)
})

/** Line 1 of A-T1 carries 60 A at these local hours of these days, and 20 A otherwise; the night has looked at it. */
async function carried(days: readonly number[], hoursOfDay: readonly number[]): Promise<number> {
  const line = stack.server.plant.lineAt('A-T1', 1)
  if (!line) throw new Error('A-T1 has not been born')
  const truth = lineTruth(7, today - firstDay, makeOfPlan(diceOf(7)))
  const { hours } = truth
  hours.counts.fill(1)
  for (const column of hours.maxA)
    for (const i of column.keys()) {
      const isOver = days.includes(firstDay + Math.floor(i / 24)) && hoursOfDay.includes(i % 24)
      column[i] = isOver ? 60 : 20
    }
  await storeHours(client, line, truth, { firstDay, offsetHours })
  await stack.server.warning.nightly.look()
  return line.id
}
const again = async (by = admin) => (await by.call(listLoadAgain, { body: {} })).items
const enter = (date: string, dayClass: string) =>
  client.query(
    `insert into day_class (project_id, day, class, name, origin, changed_at, changed_by)
     select project_id, $1, $2, '', 'person', now(), 'admin' from project`,
    [date, dayClass],
  )

test('a make-up workday is a day like the workdays before it, also behind a holiday', async () => {
  const lineId = await carried([thursday, friday], [9, 10, 18])
  expect(await again()).toEqual([
    expect.objectContaining({
      ...{ LineID: lineId, ControllerID: 'A-T1', LineNo: 1, Day: '2026-10-10', Hours: [9, 10, 18] },
      ...{ Value: 60, Limit: 50, Unit: 'A', Used: 3 },
    }),
  ])
  expect((await client.query(`select from event where key = 'load.again'`)).rowCount).toBe(0)
})

test('where people entered it as a day off, workdays find nothing of it, and days off do', async () => {
  await enter('2026-10-10', 'restday')
  await carried([thursday, friday], [9])
  expect(await again()).toEqual([])
  // The 6th and 7th are the last of the National Day.
  await client.query('delete from line_look')
  await carried([today - 4, today - 3], [9])
  expect(await again()).toMatchObject([{ Hours: [9] }])
})

test('days of all projects of an owner count as well, and what the project enters itself goes before', async () => {
  await client.query(
    `insert into owner_day_class (owner_id, day, class, name, origin, changed_at, changed_by)
     select distinct owner_id, '2026-10-10', 'restday', '', 'person', now(), 'admin' from project`,
  )
  await carried([thursday, friday], [9])
  expect(await again()).toEqual([])
  await client.query('delete from line_look')
  await enter('2026-10-10', 'workday')
  await carried([thursday, friday], [9])
  expect(await again()).toMatchObject([{ Hours: [9] }])
})

test('what was found for a day is gone with it', async () => {
  await carried([thursday, friday], [9])
  now = noon + dayMs
  admin = await signedIn(stack.url, stack.admin, () => now)
  expect(await again()).toEqual([])
})

test('nobody is shown lines that they do not see', async () => {
  await carried([thursday, friday], [9])
  const { accounts, plant } = stack.server
  const houseId = [...plant.projects.values()].find(({ name }) => name === '项目B')?.id ?? 0
  const roleId = await accounts.createRole({
    ...{ number: 'reader', name: 'reader', privileges: ['devmon', 'devmon.faultalarm'], buttons: [] },
  })
  const person = { userName: 'reader', password: 'Duty-7391' }
  await accounts.createAccount({ ...person, kind: 'sub', roleId, projectIds: [houseId] })
  expect(await again(await signedIn(stack.url, person, () => now))).toEqual([])
})

test('where its rule is switched off nothing is shown', async () => {
  await carried([thursday, friday], [9])
  expect(await again()).toHaveLength(1)
  const { items } = await admin.call(listWarningRules, { query: {} })
  const rule = items.find(({ Key }) => Key === 'load.again')
  if (!rule) throw new Error('there is no such rule')
  const { Key, Version, Priority, Targets, Except } = rule
  await admin.call(updateWarningRule, {
    body: { Key, Version, Enabled: false, Params: [], Priority, Targets, Except, Reason: '' },
  })
  expect(await again()).toEqual([])
})
