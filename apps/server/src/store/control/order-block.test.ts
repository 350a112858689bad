import { aboutNothing } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { tagsInForce } from '@linewarden/rules/control'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { insertAccount } from '../account/account.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { loadPlant } from '../plant/plant.ts'
import type { NewChange } from '../settings/setting-authorisation.ts'
import { authoriseChanges } from '../settings/setting-authorisation.ts'
import { removeGateway } from '../site/gateway.ts'
import { authorise } from './command.ts'
import type { Tagged } from './tag.ts'
import { insertTag, removeTag, tagsInForceOn } from './tag.ts'

// What the database alone knows against an order, whichever server wrote it.
let db: TestDatabase
let gatewayId = 0
let accountId = ''
const lineIds: number[] = []
const now = Date.now()
const audit = {
  at: now,
  actor: 'a',
  address: '',
  action: 'line.close',
  subject: aboutNothing,
  target: '',
  outcome: 'authorised',
} as const

beforeAll(async () => {
  db = await testDatabase()
  const { rows } = await sql<{ gateway_id: number; line_id: number }>`
    with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G-1', 'g', 'x' from p returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3P' from g returning device_id),
    l as (insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 6) no returning line_id)
    select gateway_id, line_id from g, l order by line_id`.execute(db.database.general)
  const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
  accountId = (await insertAccount(db.database.general, { ...account, kind: 'platform' }, null)) ?? ''
  gatewayId = rows[0]?.gateway_id ?? 0
  lineIds.push(...rows.map(({ line_id }) => line_id))
})
afterAll(() => db?.drop())

const line = (index: number) => lineIds[index] ?? 0
const operate = (lineId: number, action: ActionKey) =>
  authorise(
    db.database,
    {
      commandId: crypto.randomUUID(),
      lineId,
      action,
      accountId,
      actor: 'a',
      source: 'console',
      reason: '',
      issuedAt: now,
      deadline: now + 5_000,
      operationId: null,
    },
    audit,
  )
const change = (lineId: number | null, source: NewChange['source'] = 'console'): NewChange => ({
  commandId: crypto.randomUUID(),
  batchId: crypto.randomUUID(),
  gatewayId,
  lineId,
  wanted: { 'leakage.trip': 30 },
  former: { 'leakage.trip': 50 },
  accountId: null,
  actor: 'a',
  source,
  reason: '',
  template: null,
  undoes: null,
  offUntil: null,
  issuedAt: now,
  deadline: now + 10_000,
  bypasses: [],
  validatedBy: [],
  restores: [],
})
/** How many were saved, and what stopped each of the others. */
const set = async (...changes: readonly NewChange[]) => {
  const { saved, stopped } = await authoriseChanges(db.database, changes, () => [audit])
  return [saved.length, ...[...stopped.values()].map(({ is }) => is)]
}

test('a setting under way stops a close and another setting, and no trip', async () => {
  expect(await set(change(line(0)))).toEqual([1])
  expect(await operate(line(0), 'close')).toEqual({ is: 'busy' })
  expect(await set(change(line(0)))).toEqual([0, 'busy'])
  expect((await operate(line(0), 'trip')).is).toBe('new')
})

test('a close or a trip under way stops a setting, also one that brings a protection back', async () => {
  await operate(line(1), 'close')
  await operate(line(2), 'trip')
  expect(await set(change(line(1)), change(line(2)), change(line(1), 'expiry'))).toEqual([0, 'busy', 'busy', 'busy'])
})

test('a tag and an inspection stop both kinds with what they are; a protection comes back and a sounder is hushed under a tag', async () => {
  await sql`insert into tag (tag_id, line_id, kind, holder, reason, placed_at)
    values (gen_random_uuid(), ${line(3)}, 'tag', 'zhang', 'cable', now())`.execute(db.database.general)
  await sql`update line set inspection_until = ${new Date(now + 60_000)} where line_id = ${line(4)}`.execute(db.database.general)
  const tagged = { is: 'interlocked', interlocks: { tags: [{ holder: 'zhang', reason: 'cable' }] } }
  expect(await operate(line(3), 'close')).toMatchObject(tagged)
  const { stopped } = await authoriseChanges(db.database, [change(line(3))], () => [audit])
  expect([...stopped.values()]).toMatchObject([tagged])
  expect(await operate(line(4), 'close')).toMatchObject({ is: 'interlocked', interlocks: { inspectionUntil: now + 60_000 } })
  expect(await set(change(line(4)))).toEqual([0, 'interlocked'])
  expect(await set(change(line(3), 'expiry'), change(line(4), 'expiry'))).toEqual([2])
  expect((await operate(line(3), 'trip')).is).toBe('new')
})

test('a trip that nobody has explained stops a close, whichever server was told of it, and nothing else', async () => {
  const [lineId] = (await anotherGateway('G-L', 1)).lineIds
  if (lineId === undefined) throw new Error('no line')
  await sql`update line set trip_latched = 'leakage', trip_latches = 3 where line_id = ${lineId}`.execute(db.database.general)
  expect(await operate(lineId, 'close')).toMatchObject({
    is: 'interlocked',
    interlocks: { tags: [], lockout: { cause: 'leakage', sequence: 3 } },
  })
  expect((await operate(lineId, 'trip')).is).toBe('new')
  await sql`update command set state = 'expired' where line_id = ${lineId}`.execute(db.database.general)
  expect(await set(change(lineId))).toEqual([1])
})

/** A gateway with a device of so many lines, none of them known to the tests above. */
async function anotherGateway(
  number: string,
  lines: number,
): Promise<{ gatewayId: number; deviceId: number; lineIds: number[] }> {
  const { rows } = await sql<{ gateway_id: number; device_id: number; line_id: number }>`
    with g as (insert into gateway (project_id, number, name, secret_hash)
      select project_id, ${number}, 'g', 'x' from project returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, ${`D-${number}`}, 'd', 'breaker3p', '3P' from g returning device_id, gateway_id),
    l as (insert into line (device_id, line_no, name)
      select device_id, no, 'l' from d, generate_series(1, ${lines}::int) no returning line_id)
    select gateway_id, device_id, line_id from d, l order by line_id`.execute(db.database.general)
  const [{ gateway_id, device_id } = { gateway_id: 0, device_id: 0 }] = rows
  return { gatewayId: gateway_id, deviceId: device_id, lineIds: rows.map(({ line_id }) => line_id) }
}
const born = async (deviceId: number, lineNo: number): Promise<number> => {
  const { rows } = await sql<{ line_id: number }>`insert into line (device_id, line_no, name)
    values (${deviceId}, ${lineNo}, 'l') returning line_id`.execute(db.database.general)
  return rows[0]?.line_id ?? 0
}
const hang = async (on: Tagged): Promise<string | null> => {
  const id = crypto.randomUUID()
  const tag = {
    id,
    on,
    kind: 'lock',
    accountId,
    holder: 'zhang',
    reason: 'cable',
    photo: null,
    placedAt: now,
    expectedEnd: null,
  } as const
  const { is } = await insertTag(db.database, tag, () => ({ ...audit, action: 'tag.place' }))
  return is === 'hung' ? id : null
}
const takeOff = (id: string, on: Tagged) =>
  removeTag(db.database, { id, on, at: now, by: 'zhang', reason: null }, () => ({ ...audit, action: 'tag.remove' }))

test('a tag on a device or on a gateway is in force on every line behind it, those born afterwards too, and no other', async () => {
  const [first, second] = [await anotherGateway('G-2', 2), await anotherGateway('G-3', 1)]
  const onDevice = { on: 'device', id: first.deviceId } as const
  const deviceTag = (await hang(onDevice)) ?? ''
  const later = await born(first.deviceId, 9)
  for (const each of [...first.lineIds, later]) {
    expect(await operate(each, 'close')).toMatchObject({
      is: 'interlocked',
      interlocks: { tags: [{ on: 'device', holder: 'zhang' }] },
    })
    expect(await set(change(each))).toEqual([0, 'interlocked'])
    expect((await operate(each, 'trip')).is).toBe('new')
  }
  await sql`update command set state = 'expired' where line_id = ${later}`.execute(db.database.control)
  const gatewayTag = (await hang({ on: 'gateway', id: first.gatewayId })) ?? ''
  expect(await takeOff(deviceTag, onDevice)).toEqual({ removed: true, hanging: [] })
  const last = await born(first.deviceId, 10)
  for (const each of [later, last])
    expect(await operate(each, 'close')).toMatchObject({
      is: 'interlocked',
      interlocks: { tags: [{ id: gatewayTag, on: 'gateway' }] },
    })
  expect((await operate(second.lineIds[0] ?? 0, 'close')).is).toBe('new')
  await takeOff(gatewayTag, { on: 'gateway', id: first.gatewayId })
  expect((await operate(last, 'close')).is).toBe('new')
})

test('a tag is hung and taken off when whoever operates any line behind it is done', async () => {
  const { gatewayId: id, deviceId, lineIds: own } = await anotherGateway('G-5', 2)
  /** Somebody has begun to operate the second line, and is done when the other is known to wait for that. */
  const waitsFor = async <T>(work: () => Promise<T>): Promise<T> => {
    const { begun } = await db.database.general.transaction().execute(async (trx) => {
      await sql`insert into command_fence as f (line_id, fence) values (${own[1]}, 1)
        on conflict (line_id) do update set fence = f.fence + 1`.execute(trx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      const begun = work()
      await vi.waitFor(async () => {
        const waiting = await sql`select from pg_stat_activity where ${rows[0]?.pid}::int = any(pg_blocking_pids(pid))`.execute(
          trx,
        )
        expect(waiting.rows).toHaveLength(1)
      })
      // Within an object, for it is not to be awaited here.
      return { begun }
    })
    return begun
  }
  for (const place of [{ on: 'gateway', id } as const, { on: 'device', id: deviceId } as const]) {
    const tagId = await waitsFor(() => hang(place))
    const inForce = await tagsInForceOn(db.database.control, own)
    expect(own.map((each) => inForce.get(each)?.map((tag) => tag.id))).toEqual([[tagId], [tagId]])
    expect((await waitsFor(() => takeOff(tagId ?? '', place))).removed).toBe(true)
  }
})

test('of every line the database and the plant that was read from it name the same tags', async () => {
  const { gatewayId: id, deviceId, lineIds: own } = await anotherGateway('G-4', 3)
  for (const on of [
    { on: 'gateway', id },
    { on: 'device', id: deviceId },
    { on: 'line', id: own[1] ?? 0 },
    { on: 'line', id: line(0) },
  ] as const)
    await hang(on)
  const plant = await loadPlant(db.database)
  const stored = await tagsInForceOn(db.database.control, [...plant.lines.keys()])
  const inPlant = new Map([...plant.lines.values()].map((each) => [each.id, tagsInForce(each)]))
  expect(own.map((each) => inPlant.get(each)?.length)).toEqual([2, 3, 2])
  for (const [lineId, tags] of inPlant) expect(stored.get(lineId) ?? []).toEqual(tags)
})

test('hanging on a gateway, closing and setting its lines and removing it in the same moment never stop each other for ever', async () => {
  for (let round = 0; round < 10; round++) {
    const { gatewayId: id, lineIds: own } = await anotherGateway(`G-R${round}`, 3)
    const changes = own.map((lineId) => ({ ...change(lineId), gatewayId: id }))
    const [hung, removed] = await Promise.all([
      hang({ on: 'gateway', id }),
      removeGateway(db.database, id, audit),
      operate(own[0] ?? 0, 'close'),
      set(...changes.toReversed()),
    ])
    // Whoever came first: a tag never hangs on a gateway that is gone.
    expect(removed.is === 'done' ? hung === null : hung !== null).toBe(true)
  }
})

test('of a setting and a close in the same moment exactly one is saved', async () => {
  for (let round = 0; round < 20; round++) {
    const [[saved], closed] = await Promise.all([set(change(line(5))), operate(line(5), 'close')])
    expect([saved === 1, closed.is === 'new'].filter(Boolean)).toHaveLength(1)
    await sql`update setting_change set state = 'expired' where line_id = ${line(5)}`.execute(db.database.general)
    await sql`update command set state = 'expired' where line_id = ${line(5)}`.execute(db.database.general)
  }
})

test("a gateway's own settings wait for one another and for no line", async () => {
  expect(await set(change(null))).toEqual([1])
  expect(await set(change(null))).toEqual([0, 'busy'])
})

test('a gateway is not removed while a tag hangs on one of its lines, nor while anything is under way on it', async () => {
  const end = (of: 'command' | 'setting_change') =>
    sql`update ${sql.table(of)} set state = 'expired'`.execute(db.database.control)
  const remove = async () => (await removeGateway(db.database, gatewayId, audit)).is
  await end('command')
  await end('setting_change')
  expect(await removeGateway(db.database, gatewayId, audit)).toEqual({
    is: 'tagged',
    holders: [{ holder: 'zhang', places: ['D/1', 'D/4'] }],
  })
  await sql`update tag set removed_at = now()`.execute(db.database.control)
  await set(change(null))
  expect(await remove()).toBe('busy')
  await end('setting_change')
  await operate(line(0), 'trip')
  expect(await remove()).toBe('busy')
  await end('command')
  expect(await remove()).toBe('done')
})
