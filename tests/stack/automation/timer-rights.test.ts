import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import type { TimerForm } from '@linewarden/contract'
import {
  getAutomationRun,
  getTimer,
  grantControl,
  insertTimer,
  logTimers,
  queryTimers,
  skipTimer,
  switchTimer,
  timerActOperation,
  transferGateways,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Whose timers are, and who may have them fire again.
let stack: Stack
const now = Date.now()
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const gateway = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway
const house = (device = 'A-T1') => gateway(device)?.project.id ?? 0
const dayMs = 86_400_000

const monthly = (Name: string, day: number): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'monthly', Period: { Days: [day] }, Exceptions: [] },
  Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
  ...{ Lines: [{ ControllerID: 'A-T1', LineNo: 1 }], KeepWhileWanted: true, Enabled: true },
})
const daily = (Name: string): TimerForm => ({ ...monthly(Name, 1), Type: 'weekly', Period: { Days: 127 } })
const insert = (form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })

test('whoever ends a skip is asked for the control password and becomes the owner; nothing is skipped for ever', async () => {
  const who = { userName: 'careful', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const client = await signedIn(stack.url, who, () => now)
  const { TimerID } = await insert(daily('每日'))
  const skip = (Version: number, Until: number | null, Grant?: string) =>
    client.call(skipTimer, { body: { TimerID, Version, Until, ...(Grant !== undefined && { Grant }) } })
  const proved = (Operation: string) => client.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })
  expect(await outcomeOf(skip(1, now + 14 * dayMs + 1))).toBe('skip end wrong')
  const skipped = await skip(1, now + 3 * dayMs)
  expect([skipped.SkipNextUntil, skipped.OwnerName]).toEqual([now + 3 * dayMs, stack.admin.userName])
  const longer = await skip(2, now + 4 * dayMs)
  expect(longer.OwnerName).toBe(stack.admin.userName)
  expect([await outcomeOf(skip(3, now + dayMs)), await outcomeOf(skip(3, null))]).toEqual([
    'control grant missing',
    'control grant missing',
  ])
  // A grant is for what is done, to the timer as it was read.
  for (const other of [timerActOperation('skip', { TimerID, Version: 2 }), timerActOperation('owner', { TimerID, Version: 3 })])
    expect(await outcomeOf(skip(3, null, (await proved(other)).Grant))).toBe('control grant over')
  const again = await skip(3, null, (await proved(timerActOperation('skip', { TimerID, Version: 3 }))).Grant)
  expect([again.SkipNextUntil, again.OwnerName]).toEqual([null, who.userName])
})

test('the next run may be skipped however far away it is', async () => {
  // On the clock of Shanghai, a day of the month that was yesterday or the day before.
  const day = Math.min(28, Math.max(1, new Date(now + 8 * 3_600_000 - dayMs).getUTCDate()))
  const timer = await insert(monthly('每月', day))
  const Until = timer.Next[0]?.At ?? 0
  const skipped = await stack.client.call(skipTimer, { body: { TimerID: timer.TimerID, Version: 1, Until } })
  expect(skipped.SkipNextUntil).toBe(Until)
})

test('whoever gets a line of a timer sees and changes neither the timer nor what it did; its own project still may', async () => {
  const account = async (userName: string, projectId: number): Promise<Client> => {
    const { accounts } = stack.server
    const roleId = await accounts.createRole({
      number: userName,
      name: userName,
      privileges: ['timer', 'timer.list', 'timer.log'],
      buttons: ['lineSwitch', 'manageTiming'],
    })
    const who = { userName, password: 'Duty-7391' }
    await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [projectId] })
    return signedIn(stack.url, who, () => now)
  }
  const [before, after] = [await account('13800000111', house('A-T1')), await account('13800000112', house('B-T1'))]
  const timer = await insert(daily('搬走'))
  const { TimerID } = timer
  await stack.server.database.general
    .updateTable('timer_due')
    .set({ due_at: new Date(now - 3_000) })
    .where('timer_id', '=', TimerID)
    .execute()
  await stack.server.automation.tick()
  const [run] = await vi.waitFor(async () => {
    const { items } = await before.call(logTimers, { body: { TimerID } })
    expect(items[0]?.EndedAt ?? null).not.toBeNull()
    return items
  })
  const RunID = run?.RunID ?? ''
  expect((await before.call(getAutomationRun, { params: { RunID } })).Name).toBe('搬走')

  const transfer = { body: { DeviceIDs: [gateway()?.id ?? 0], HouseID: house('B-T1') } }
  expect(await outcomeOf(stack.client.call(transferGateways, transfer))).toBe('timers contain equipment')
  for (const each of (await stack.client.call(queryTimers, { body: { Enabled: true } })).items)
    await before.call(switchTimer, { body: { TimerID: each.TimerID, Version: each.Version, Enabled: false } })
  const { Version } = await before.call(getTimer, { params: { TimerID } })
  await stack.client.call(transferGateways, transfer)
  const off = { body: { TimerID, Version, Enabled: false } }
  expect([
    await outcomeOf(after.call(getTimer, { params: { TimerID } })),
    await outcomeOf(after.call(switchTimer, off)),
    await outcomeOf(after.call(getAutomationRun, { params: { RunID } })),
    (await after.call(queryTimers, { body: {} })).total,
  ]).toEqual(['timer not exists', 'timer not exists', 'automation run not exists', 0])
  expect((await before.call(switchTimer, off)).Enabled).toBe(false)
})
