import type { Client } from '@linewarden/client'
import { addGateway, addGateways, addRole, addSharedAccount, addSubAccount, gatewayByNumber } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newImei, newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'

// Numbers and log-in names are unique over all tenants: that one is a stranger's is learnt so often an hour, and then no more.
let all: TwoOwners
const houses = { anna: 0, bert: 0 }
const annasImei = newImei()
const roles = { anna: 0, bert: 0 }
const annas = '13400000001'

beforeAll(async () => {
  all = await startTwoOwners()
  for (const name of ['anna', 'bert'] as const) {
    houses[name] = (await newProject(all[name], name)).HouseID
    const role = { Number: name, Name: name, Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }
    roles[name] = (await all[name].call(addRole, { body: role })).RoleID
  }
  await all.anna.call(addGateway, { body: { HouseID: houses.anna, ...newGateway('GW-ANNA'), IMEI: annasImei } })
  await account(all.anna, 'anna', annas)
})
afterAll(() => all?.close())

const account = (
  client: Client,
  whose: keyof typeof roles,
  UserName: string,
  add: typeof addSubAccount | typeof addSharedAccount = addSubAccount,
) =>
  client.call(add, {
    body: { ...subOf(UserName), RoleID: roles[whose], Assigned: { HouseIDs: [houses[whose]], DeviceIDs: [] } },
  })
const row = (number: string, IMEI = newImei()) => ({ Number: number, Name: number, IMEI, Platform: 'json', DeviceType: '4G' })
const dryRun = (...Rows: ReturnType<typeof row>[]) =>
  all.bert.call(addGateways, { body: { HouseID: houses.bert, DryRun: true, Rows } })

/** Every way in which Bert learns that something is Anna's, and what he is answered. */
const ways: Readonly<Record<string, [work: () => Promise<unknown>, answer: string]>> = {
  'a sub-account': [() => account(all.bert, 'bert', annas), 'username exists'],
  'a shared account': [() => account(all.bert, 'bert', annas, addSharedAccount), 'username exists'],
  'a gateway': [() => all.bert.call(addGateway, { body: { HouseID: houses.bert, ...newGateway('GW-ANNA') } }), 'device exists'],
  'an IMEI': [
    () => all.bert.call(addGateway, { body: { HouseID: houses.bert, ...newGateway('GW-NEW'), IMEI: annasImei } }),
    'device exists',
  ],
  'a scanned number': [() => all.bert.call(gatewayByNumber, { params: { Number: 'GW-ANNA' } }), 'device exists'],
  'a list': [() => dryRun(row('GW-ANNA')), 'done'],
  'the IMEIs of a list': [() => dryRun(row('GW-LIST', annasImei)), 'done'],
}
const most = 20

test('what is free, and what is the own, costs nothing', async () => {
  await all.bert.call(addGateway, { body: { HouseID: houses.bert, ...newGateway('GW-BERT') } })
  await account(all.bert, 'bert', '13400000011')
  for (let i = 0; i < most + 5; i++) {
    if (i < 2) expect(await outcomeOf(account(all.bert, 'bert', '13400000011'))).toBe('username exists')
    expect(await outcomeOf(dryRun(row('GW-BERT')))).toBe('done')
    expect(await outcomeOf(all.bert.call(gatewayByNumber, { params: { Number: `GW-FREE-${i}` } }))).toBe('DeviceState:NotAdded')
  }
})

test('who may add none reads the same of a number that is taken and of one that is not', async () => {
  const looker = await all.signIn('13400000011')
  for (const each of ['GW-ANNA', 'GW-NOBODY'])
    expect(await outcomeOf(looker.call(gatewayByNumber, { params: { Number: each } }))).toBe('DeviceState:NotAdded')
})

test('a list with more of them than may be learnt is told so, and none of them', async () => {
  const rows = Array.from({ length: most + 1 }, (_, index) => row(`GW-LIST-${index}`, annasImei))
  expect(await outcomeOf(dryRun(...rows))).toBe('too many taken')
  const { Problems } = await dryRun(row('GW-ANNA'))
  expect(Problems).toHaveLength(1)
})

test('it is learnt twenty times an hour, whichever way, and then no more', async () => {
  const tries = Array.from({ length: 3 }, () => Object.values(ways))
    .flat()
    .slice(0, most - 1)
  for (const [work, answer] of tries) expect(await outcomeOf(work())).toBe(answer)
  for (const [work] of Object.values(ways)) expect(await outcomeOf(work())).toBe('too many taken')
  // Their own things they still see.
  expect(await outcomeOf(all.bert.call(gatewayByNumber, { params: { Number: 'GW-BERT' } }))).toBe('done')
})

test('whoever runs the installation is not counted', async () => {
  for (let i = 0; i < most + 5; i++)
    expect(await outcomeOf(all.platform.call(addGateway, { body: { HouseID: houses.anna, ...newGateway('GW-ANNA') } }))).toBe(
      'device exists',
    )
})
