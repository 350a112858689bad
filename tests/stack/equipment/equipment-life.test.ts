import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { DeviceRecord, Request } from '@linewarden/contract'
import { addRole, addSharedAccount, editEquipment, equipmentLedger, listJournal } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { startTwoOwners, subOf } from '../../kit/two-owners.ts'

const day = 86_400_000
let all: TwoOwners
let platform: Client
/** The clock is ours, so that a warranty can end. */
let ahead = 0
const now = () => Date.now() + ahead
const dayAt = (days: number) => new Date(now() + 8 * 3_600_000 + days * day).toISOString().slice(0, 10)

beforeAll(async () => {
  all = await startTwoOwners({ clock: now, fleet: { now } })
  platform = all.platform
})
afterAll(() => all?.close())

const nothing = { InstalledOn: null, WarrantyUntil: null, ServiceYears: null }

async function recordOf(controllerId: string): Promise<DeviceRecord> {
  const { items } = await platform.call(equipmentLedger, { body: { Name: controllerId } })
  const found = items.find(({ ControllerID }) => ControllerID === controllerId)
  if (!found) throw new Error(`the ledger has no ${controllerId}`)
  return found
}

type Life = Partial<Request<typeof editEquipment>['body']>

const edit = async (ControllerID: string, life: Life, client: Client = platform) => {
  const { Version } = await recordOf(ControllerID)
  return client.call(editEquipment, { params: { ControllerID }, body: { ...nothing, Version, ...life } })
}

const due = async (Due: 'expiring' | 'expired') =>
  (await platform.call(equipmentLedger, { body: { Due, Size: 200 } })).items.map(({ ControllerID }) => ControllerID)

test('of a new device nothing is known, and that is no state', async () => {
  expect(await recordOf('A-T1')).toMatchObject({ ...nothing, EndOfLife: null, WarrantyDue: null, LifeDue: null, Version: 1 })
  expect([await due('expiring'), await due('expired')]).toEqual([[], []])
})

test('what is written down is in the ledger with its end and its state, and in the log', async () => {
  const saved = await edit('A-T1', { InstalledOn: '2020-02-29', WarrantyUntil: dayAt(90), ServiceYears: 50 })
  expect(saved).toMatchObject({ EndOfLife: '2070-02-28', WarrantyDue: 'expiring', LifeDue: 'good', Version: 2 })
  expect(await recordOf('A-T1')).toEqual(saved)
  expect([await due('expiring'), await due('expired')]).toEqual([['A-T1'], []])
  const { items } = await platform.call(listJournal, { body: { Action: 'device.life' } })
  expect(items[0]).toMatchObject({ Target: 'A-T1', Outcome: 'done' })
})

test('the second of two people is told, and nothing of theirs is kept', async () => {
  const { Version } = await recordOf('A-T1')
  const params = { ControllerID: 'A-T1' }
  const first = platform.call(editEquipment, { params, body: { ...nothing, ServiceYears: 8, Version } })
  const second = platform.call(editEquipment, { params, body: { ...nothing, ServiceYears: 9, Version } })
  expect((await Promise.all([outcomeOf(first), outcomeOf(second)])).toSorted()).toEqual(['changed meanwhile', 'done'])
  const kept = await recordOf('A-T1')
  expect([kept.Version, [8, 9].includes(kept.ServiceYears ?? 0)]).toEqual([Version + 1, true])
})

test.each<[Life, string, RegExp]>([
  [{ InstalledOn: '2025-05-01', WarrantyUntil: '2025-04-30' }, 'body.WarrantyUntil', /before the installation/],
  [{ InstalledOn: '2025-02-30' }, 'body.InstalledOn', /does not exist/],
  [{ InstalledOn: '2098-01-01' }, 'body.InstalledOn', /in the future/],
  [{ WarrantyUntil: '1869-05-01' }, 'body.WarrantyUntil', /1970 to 2099/],
  [{ ServiceYears: 0 }, 'body.ServiceYears', /at least 1/],
  [{ ServiceYears: 51 }, 'body.ServiceYears', /at most 50/],
  [{ WarrantyUntil: 'next year' }, 'body.WarrantyUntil', /must/],
])('%o is refused in words at its field', async (life, path, words) => {
  const before = await recordOf('A-T1')
  const error: unknown = await edit('A-T1', life).catch((refused: unknown) => refused)
  const failure = error instanceof CallError && error.problem.kind === 'refusal' ? error.problem.failure : null
  expect(failure?.Problems?.[0]).toMatchObject({ Path: path, Text: { en: expect.stringMatching(words) } })
  expect(await recordOf('A-T1')).toEqual(before)
})

test('a device that is born again keeps what people wrote down', async () => {
  await edit('B-T1', { InstalledOn: '2021-06-01', WarrantyUntil: '2024-06-01', ServiceYears: 10 })
  const gateway = all.stack.fleet.gatewayOf('B-T1')
  gateway.disconnectAbruptly()
  await gateway.reconnect()
  await all.stack.server.ingest.drained()
  expect(await recordOf('B-T1')).toMatchObject({ InstalledOn: '2021-06-01', WarrantyDue: 'expired', EndOfLife: '2031-06-01' })
})

test('nobody writes in the ledger of somebody else, and a shared account only reads', async () => {
  const { Version } = await recordOf('A-T1')
  const body = { ...nothing, Version }
  const params = { ControllerID: 'A-T1' }
  expect(await outcomeOf(all.anna.call(editEquipment, { params, body }))).toBe('device not exists')
  const { RoleID } = await platform.call(addRole, {
    body: { Number: 'led', Name: '台账', Privileges: ['system.report'], Buttons: [] },
  })
  const HouseIDs = [(await recordOf('A-T1')).HouseID]
  await platform.call(addSharedAccount, {
    body: { ...subOf('13600000009'), RoleID, Assigned: { HouseIDs, DeviceIDs: [] } },
  })
  const shared = await all.signIn('13600000009')
  expect((await shared.call(equipmentLedger, { body: {} })).total).toBeGreaterThan(0)
  expect(await outcomeOf(shared.call(editEquipment, { params, body }))).toBe('access denied')
})

test('a warranty ends with its last day, and the filter follows', async () => {
  // The next noon of the project: no day ends by itself while this goes on.
  ahead = Math.floor(Date.now() / day + 1) * day + 4 * 3_600_000 - Date.now()
  platform = await signedIn(all.stack.url, all.stack.admin, now)
  await edit('A-T1', { WarrantyUntil: dayAt(0) })
  expect((await recordOf('A-T1')).WarrantyDue).toBe('expiring')
  ahead += day
  // A day later nobody is signed in any more.
  platform = await signedIn(all.stack.url, all.stack.admin, now)
  expect((await recordOf('A-T1')).WarrantyDue).toBe('expired')
  expect((await due('expired')).toSorted()).toEqual(['A-T1', 'B-T1'])
  expect(await due('expiring')).toEqual([])
})
