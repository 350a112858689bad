import { aboutNothing } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { registerDevices } from '../ingest/register.ts'
import { endingBy, ledgerRows, setEquipmentLife } from './equipment.ts'
import { enrolGateway, findOrCreateGroup, findOrCreateProject } from './site.ts'

let made: TestDatabase
let gatewayId: number

beforeEach(async () => {
  made = await testDatabase()
  const { database } = made
  const cityId = await findOrCreateGroup(database, 'Group')
  const projectId = await findOrCreateProject(database, { cityId, name: 'Site', timeZone: 'Asia/Shanghai', standard: 'GB' })
  const gateway = { projectId, number: 'G1', name: 'G1', reportingPeriodMs: 10_000 }
  const found = await enrolGateway(database, gateway, 'sha256:', { ...audit, action: 'gateway.enrol' })
  if (typeof found === 'string') throw new Error(found)
  gatewayId = found.gatewayId
})
afterEach(() => made.drop())

async function born(wireId: string): Promise<number> {
  const family = familyOf('smoke')
  if (!family) throw new Error('no such family')
  const client = await made.database.connect()
  const birth = { wireId, family, model: 'JTY', name: null, firmware: null, reportingPeriodMs: null, lines: [] }
  const gateway = { id: gatewayId, number: 'G' }
  const [device] = await registerDevices(client, [{ gateway, birth }]).finally(() => client.end())
  return device?.deviceId ?? 0
}

const audit = {
  at: Date.UTC(2026, 0, 15),
  actor: 'me',
  address: '',
  action: 'device.life',
  subject: aboutNothing,
  target: 'D',
  outcome: 'done',
} as const
const life = { installedOn: '2024-02-29', warrantyUntil: '2026-03-01', serviceYears: 3 }
const set = (deviceId: number, version: number, more: Partial<typeof life> = {}) =>
  setEquipmentLife(made.database, { deviceId, version, ...life, ...more }, audit)

test('dates come back as the days they are, whatever the clock of this machine', async () => {
  const deviceId = await born('D1')
  expect(await set(deviceId, 1)).toBe(true)
  expect((await ledgerRows(made.database, [deviceId])).get(deviceId)).toMatchObject({ ...life, version: 2 })
})

test('another version is not overwritten, and leaves no line in the log', async () => {
  const deviceId = await born('D1')
  await set(deviceId, 1)
  expect(await set(deviceId, 1, { serviceYears: 9 })).toBe(false)
  expect((await ledgerRows(made.database, [deviceId])).get(deviceId)).toMatchObject({ serviceYears: 3, version: 2 })
  const written = await made.database.general.selectFrom('audit').select('action').orderBy('audit_id').execute()
  expect(written.map(({ action }) => action)).toEqual(['gateway.enrol', 'device.life'])
})

test('a device that is born again keeps what people wrote down', async () => {
  const deviceId = await born('D1')
  await set(deviceId, 1)
  expect(await born('D1')).toBe(deviceId)
  expect((await ledgerRows(made.database, [deviceId])).get(deviceId)).toMatchObject({ ...life, version: 2 })
})

test('found is whatever ends by a day: a warranty, or a service life that begins on a leap day', async () => {
  const [warranty, service, neither] = [await born('D1'), await born('D2'), await born('D3')]
  await set(warranty, 1, { serviceYears: 50 })
  await set(service, 1, { warrantyUntil: '2090-01-01' })
  await set(neither, 1, { warrantyUntil: '2090-01-01', serviceYears: 50 })
  const by = async (day: string) => [...(await endingBy(made.database, day)).keys()].toSorted()
  expect(await by('2026-02-28')).toEqual([])
  expect(await by('2026-03-01')).toEqual([warranty])
  expect(await by('2027-02-28')).toEqual([warranty, service])
})
