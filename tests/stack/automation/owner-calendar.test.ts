import type { Client } from '@linewarden/client'
import type { TimerForm } from '@linewarden/contract'
import {
  getCalendar,
  getTimer,
  importCalendar,
  insertTimer,
  listJournal,
  timersAbout,
  updateCalendar,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Days that are entered once for all projects of an owner. Tuesday, ten in the morning of Shanghai.
let stack: Stack
let now = Date.UTC(2026, 10, 24, 2)
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
const special = (Name: string, ControllerID: string): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'calendar', Period: { Classes: ['special'] }, Exceptions: [] },
  Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
  ...{ Lines: [{ ControllerID, LineNo: 1 }], KeepWhileWanted: true, Enabled: true },
})
const enter = (
  Days: { Date: string; Class: 'special' | 'workday' | null; Name?: string }[],
  For: 'owner' | 'project',
  client: Client = stack.client,
) => client.call(updateCalendar, { body: { HouseID: house(), For, Days } })
const nextOf = async (TimerID: number) => (await stack.client.call(getTimer, { params: { TimerID } })).Next[0]?.Date ?? null
const dueOf = async (timerId: number) => {
  const { general } = stack.server.database
  const [row] = await general.selectFrom('timer_due').select('due_at').where('timer_id', '=', timerId).execute()
  return row?.due_at.toISOString() ?? null
}
const days = async (device: string, For?: 'owner') =>
  (
    await stack.client.call(getCalendar, { params: { HouseID: house(device) }, query: { Year: 2026, ...(For && { For }) } })
  ).Days.flatMap(({ Date: date, Class, Of, Name, ChangedBy }) => (Of === 'bundle' ? [] : [[date, Class, Of, Name, ChangedBy]]))

test('a day of all projects moves what is due in each, and what a project enters itself goes before', async () => {
  const [a, b] = [await insert('甲', 'A-T1'), await insert('乙', 'B-T1')]
  expect([await nextOf(a), await nextOf(b), await dueOf(a)]).toEqual([null, null, null])
  await enter([{ Date: '2026-12-01', Class: 'special', Name: '停电演练' }], 'owner')
  expect([await nextOf(a), await nextOf(b)]).toEqual(['2026-12-01', '2026-12-01'])
  // Nothing was due: the check that follows makes the row.
  await vi.waitFor(async () => {
    // A project that has just been checked is left alone for a while.
    now += 10_000
    await stack.server.automation.checks.tick()
    await stack.server.automation.tick()
    expect([await dueOf(a), await dueOf(b)]).toEqual(['2026-12-01T04:00:00.000Z', '2026-12-01T04:00:00.000Z'])
  })
  await enter([{ Date: '2026-12-01', Class: 'workday', Name: '照常' }], 'project')
  expect([await nextOf(a), await nextOf(b)]).toEqual([null, '2026-12-01'])
  expect(await days('A-T1')).toEqual([['2026-12-01', 'workday', 'project', '照常', stack.admin.userName]])
  expect(await days('B-T1')).toEqual([['2026-12-01', 'special', 'owner', '停电演练', stack.admin.userName]])
  expect(await days('A-T1', 'owner')).toEqual([['2026-12-01', 'special', 'owner', '停电演练', stack.admin.userName]])
  // What is due already by those days is made anew with them.
  await enter(
    [
      { Date: '2026-12-01', Class: null },
      { Date: '2026-12-02', Class: 'special' },
    ],
    'owner',
  )
  await stack.server.automation.tick()
  expect([await dueOf(b), await nextOf(a)]).toEqual(['2026-12-02T04:00:00.000Z', '2026-12-02'])
  const { items } = await stack.client.call(listJournal, { body: { Size: 20 } })
  const entry = items.find(({ Action }) => Action === 'calendar.ownerEdit')
  expect([entry?.Label.zh, entry?.After]).toEqual(['修改全部项目的日历', expect.stringContaining('2026-12-02')])
})

test('a year that is entered for all projects is entered for each of them', async () => {
  await stack.client.call(insertTimer, {
    body: { HouseID: house(), ...special('按日历', 'A-T1'), Period: { Classes: ['workday'] } },
  })
  const unmaintained = async () => (await stack.client.call(timersAbout, { body: { HouseID: house() } })).Unmaintained
  expect((await unmaintained()).map(({ Year }) => Year)).toEqual([2027])
  const rows = [{ Row: 2, From: '2027-01-01', Class: 'holiday', Name: '元旦' }]
  const read = (DryRun: boolean) =>
    stack.client.call(importCalendar, { body: { HouseID: house('B-T1'), For: 'owner', DryRun, Rows: rows } })
  expect((await read(true)).Days).toMatchObject([
    { Date: '2027-01-01', Change: 'new', Before: { Class: 'workday', Origin: null } },
  ])
  expect((await read(false)).Stored).toBe(1)
  expect((await read(true)).Days).toMatchObject([{ Change: 'same' }])
  expect(await unmaintained()).toEqual([])
  // What a project imports is compared with its own days, and shows what the day is now.
  const own = await stack.client.call(importCalendar, { body: { HouseID: house(), DryRun: true, Rows: rows } })
  expect(own.Days).toMatchObject([{ Change: 'new', Before: { Class: 'holiday', Name: '元旦', Origin: 'import' } }])
})

test('only an administrator who sees all projects of the owner enters days for all of them', async () => {
  const { accounts } = stack.server
  const who = { userName: '13800000171', password: 'Duty-7391' }
  const buttons = ['lineSwitch', 'manageTiming']
  const roleId = await accounts.createRole({ number: 'c', name: 'c', privileges: ['timer', 'timer.list'], buttons })
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house(), house('B-T1')] })
  const client = await signedIn(stack.url, who, () => now)
  const day = [{ Date: '2026-12-24', Class: 'special' as const }]
  expect(await outcomeOf(enter(day, 'owner', client))).toBe('owner calendar needs administrator')
  expect(
    await outcomeOf(
      client.call(importCalendar, {
        body: { HouseID: house(), For: 'owner', DryRun: false, Rows: [{ Row: 2, From: '2026-12-24', Class: 'special' }] },
      }),
    ),
  ).toBe('owner calendar needs administrator')
  expect(await outcomeOf(enter(day, 'project', client))).toBe('done')
  expect((await days('B-T1')).map(([date]) => date)).not.toContain('2026-12-24')
})

async function insert(name: string, device: string): Promise<number> {
  const { TimerID } = await stack.client.call(insertTimer, { body: { HouseID: house(device), ...special(name, device) } })
  return TimerID
}
