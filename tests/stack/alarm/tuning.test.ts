import type { Client } from '@linewarden/client'
import { alarmTuning, listJournal, listTuningChanges, offerAlarmTuning, tuneAlarm, untuneAlarm } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { storeChatter } from '../../kit/stored-chatter.ts'

let stack: Stack
let ruler: Client
let watcher: Client
let guest: Client
let chatter: string
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  ruler = await person('ruler', ['hazard.alarmList', 'advance.warning'], ['项目A'])
  watcher = await person('watcher', ['hazard.alarmList'], ['项目A'])
  guest = await person('guest', ['hazard.alarmList', 'advance.warning'], [], ['GW-A'])
  chatter = await storeChatter(stack)
})
afterAll(() => stack?.close())

async function person(userName: string, privileges: string[], projects: string[], gateways: string[] = []): Promise<Client> {
  const { accounts, database, plant } = stack.server
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const projectIds = [...plant.projects.values()].filter(({ name }) => projects.includes(name)).map(({ id }) => id)
  await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds })
  const db = await database.connect()
  await db.query(
    `insert into account_gateway (account_id, gateway_id)
     select account_id, gateway_id from account, gateway where user_name = $1 and number = any($2)`,
    [userName, gateways],
  )
  await db.end()
  return signedIn(stack.url, { userName, password: 'Duty-7391' })
}

test('whoever keeps the rules applies the offer and takes it back; others read it', async () => {
  const params = { EventID: chatter }
  const { Offer, Readings, From, To } = await ruler.call(offerAlarmTuning, { params })
  expect(Offer).toMatchObject({ Changes: 'OffDelayMs', Timing: { OffDelayMs: 10_000 }, Proof: { Before: 20, After: 1 } })
  if (!Offer) throw new Error('nothing was offered')
  expect([Readings > 100, To - From]).toEqual([true, 30 * 86_400_000])
  const body = { Version: 0, Timing: Offer.Timing, Reason: '水泵启停' }
  expect(await outcomeOf(watcher.call(tuneAlarm, { params, body }))).toBe('access denied')
  expect(await outcomeOf(guest.call(tuneAlarm, { params, body }))).toBe('access denied')
  expect(await outcomeOf(ruler.call(tuneAlarm, { params, body: { ...body, Reason: ' ' } }))).toBe('invalid parameter')
  expect(await ruler.call(tuneAlarm, { params, body })).toMatchObject({ IsTuned: true, Version: 1, ChangedBy: 'ruler' })
  const inForce = { IsTuned: true, InForce: { OffDelayMs: 10_000 }, Shipped: { OffDelayMs: 5_000 } }
  expect(await watcher.call(alarmTuning, { params })).toMatchObject({ ...inForce, ChangedBy: 'ruler' })
  expect(await guest.call(alarmTuning, { params })).toMatchObject(inForce)
  expect((await guest.call(listTuningChanges, { params, query: {} })).items).toMatchObject([{ By: 'ruler', Reason: '水泵启停' }])

  expect(await outcomeOf(watcher.call(untuneAlarm, { params, body: { Version: 1, Reason: 'x' } }))).toBe('access denied')
  expect(await outcomeOf(ruler.call(untuneAlarm, { params, body: { Version: 0, Reason: 'x' } }))).toBe('changed meanwhile')
  expect(await ruler.call(untuneAlarm, { params, body: { Version: 1, Reason: '误调' } })).toMatchObject({
    IsTuned: false,
    Version: 2,
  })
  const { items } = await stack.client.call(listJournal, { body: { Action: 'tuning.edit' } })
  expect(items[0]).toMatchObject({ Actor: 'ruler', TargetLabel: { zh: expect.stringContaining('A线1') } })
})
