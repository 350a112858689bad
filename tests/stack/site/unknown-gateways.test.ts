import {
  addGateway,
  announcedGateways,
  dismissGateway,
  enableGateway,
  gatewayDetails,
  listJournal,
  rotateSecret,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { tryConnect as tryConnectAt } from '../../kit/try-connect.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, startTwoOwners } from '../../kit/two-owners.ts'

let all: TwoOwners
let houseId: number
/** So far the house's clock has been moved on, in ms. */
let ahead = 0

beforeAll(async () => {
  all = await startTwoOwners({ clock: () => Date.now() + ahead })
  houseId = (await newProject(all.anna, '待认领')).HouseID
})
afterAll(() => all?.close())

const tryConnect = (number: string, secret = 'guess') => tryConnectAt(all.stack.server.mqttPort, number, secret)
const announced = () => all.platform.call(announcedGateways)
const numbers = async () => (await announced()).items.map((each) => each.Number)

test('a gateway that nobody has added announces itself, is claimed, and connects', async () => {
  expect([await tryConnect('NEW-1'), await tryConnect('NEW-1')]).toEqual(['refused', 'refused'])
  const { items, total } = await announced()
  expect([total, items[0]]).toMatchObject([1, { Number: 'NEW-1', Tries: 2, Address: '127.0.0.1' }])
  expect(items[0]?.LastAt).toBeGreaterThanOrEqual(items[0]?.FirstAt ?? Number.NaN)
  const { Secret } = await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('NEW-1') } })
  expect([await numbers(), await tryConnect('NEW-1', Secret)]).toEqual([[], 'in'])
})

test('nobody but whoever runs the installation sees them or dismisses one', async () => {
  await tryConnect('NEW-2')
  expect(await outcomeOf(all.anna.call(announcedGateways))).toBe('access denied')
  expect(await outcomeOf(all.anna.call(dismissGateway, { body: { Number: 'NEW-2' } }))).toBe('access denied')
  expect(await numbers()).toEqual(['NEW-2'])
})

test('one that was dismissed does not come back with its next try, is in the log, and can be added all the same', async () => {
  await tryConnect('NEW-3')
  await all.platform.call(dismissGateway, { body: { Number: 'NEW-3' } })
  await tryConnect('NEW-3')
  expect(await numbers()).not.toContain('NEW-3')
  expect(await outcomeOf(all.platform.call(dismissGateway, { body: { Number: 'NEW-3' } }))).toBe('gateway not exists')
  const { items } = await all.platform.call(listJournal, { body: { Action: 'gateway.dismiss' } })
  expect(items.map(({ Target }) => Target)).toEqual(['NEW-3'])
  const { Secret } = await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('NEW-3') } })
  expect(await tryConnect('NEW-3', Secret)).toBe('in')
})

test('a known gateway that is refused is not listed as unknown: its own page says why, until it is let in again', async () => {
  const { Gateway, Secret } = await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('KNOWN') } })
  const params = { DeviceID: Gateway.DeviceID }
  const refused = async () => (await all.anna.call(gatewayDetails, { params })).Refused
  expect(await refused()).toBeNull()
  await tryConnect('KNOWN', 'wrong')
  expect(await refused()).toMatchObject({ Reason: 'secret', Address: '127.0.0.1' })
  await all.anna.call(enableGateway, { params, body: { Enabled: false } })
  await tryConnect('KNOWN', Secret)
  expect(await refused()).toMatchObject({ Reason: 'disabled' })
  await all.anna.call(enableGateway, { params, body: { Enabled: true } })
  const fresh = await all.anna.call(rotateSecret, { params })
  await tryConnect('KNOWN', fresh.Secret)
  expect(await refused()).toBeNull()
  expect(await numbers()).not.toContain('KNOWN')
})

test('what is no number of a gateway is not kept, nor is any password', async () => {
  for (const name of ['', ' bad name', 'x'.repeat(65), 'a/b', 'a+b', '#', 'a\u0007']) await tryConnect(name, 'hunter2')
  await tryConnect('NEW-4', 'hunter2')
  await tryConnect('编号 5', 'hunter2')
  await all.stack.server.ingest.attempts.write()
  const rows = await all.stack.server.database.general.selectFrom('announced_gateway').selectAll().execute()
  expect(rows.map(({ number }) => number)).toEqual(expect.arrayContaining(['NEW-4', '编号 5']))
  expect(rows.every(({ number }) => /^NEW-\d$|^编号 5$/.test(number))).toBe(true)
  expect(JSON.stringify(rows)).not.toContain('hunter2')
})

// As fast as one network may come to nothing: fifty a second, by the house's clock.
test('a flood of two thousand names keeps five hundred, the newest, in memory and on disk, and gateways go on reporting', async () => {
  const { acknowledged, gateways } = all.stack.fleet
  const names = Array.from({ length: 2_000 }, (_, i) => `FLOOD-${i}`)
  const outcomes = new Set<string>()
  for (let i = 0; i < names.length; i += 50) {
    ahead += 1_000
    for (const outcome of await Promise.all(names.slice(i, i + 50).map((name) => tryConnect(name)))) outcomes.add(outcome)
  }
  expect([...outcomes]).toEqual(['refused'])
  const before = acknowledged()
  await Promise.all([...gateways.values()].map((gateway) => gateway.report()))
  expect(acknowledged()).toBeGreaterThan(before)
  const listed = await numbers()
  expect(listed.length).toBe(500)
  expect(listed.every((name) => Number(name.slice('FLOOD-'.length)) >= 1_500)).toBe(true)
  await all.stack.server.ingest.attempts.write()
  const rows = await all.stack.server.database.general.selectFrom('announced_gateway').select('number').execute()
  expect(rows.length).toBe(500)
})
