import { randomUUID } from 'node:crypto'
import { aboutNothing } from '@linewarden/contract'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { linkEvent } from '../../field/watch/link-event.ts'
import { insertAccount } from '../account/account.ts'
import { acknowledge } from '../alarm/acknowledge.ts'
import type { AuditEntry } from '../audit/append.ts'
import { authorise } from '../control/command.ts'
import { saveTripCause } from '../control/trip.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'
import { reassign, updateUser } from '../people/user.ts'
import { insertPush } from '../push/push.ts'
import { insertGateways, moveGateways, removeGateway, renameGateway, renameLine, setGateway } from '../site/gateway.ts'
import { moveProjects } from '../site/group.ts'
import { removeProject, transferProject, updateProject } from '../site/project.ts'
import { findOrCreateProject } from '../site/site.ts'

// What people write waits for its turn at the log, with its row locked. What ingest and commands store names that row, and must not wait with it.
let plant: TestIngest
let ingest: pg.Client
/** Whoever has the turn at the log. */
let writer: pg.Client
let accountId = ''
let otherProject = 0

const entry = (action: AuditEntry['action'] = 'line.rename'): AuditEntry => ({
  at: plant.now,
  actor: 'a',
  address: '',
  action,
  subject: aboutNothing,
  target: '',
  outcome: 'done',
})
const site = () => plant.line().device.gateway.project
beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.ingest.drained()
  ;[ingest, writer] = await Promise.all([plant.database.connect(), plant.database.connect()])
  const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
  accountId = (await insertAccount(plant.database.general, { ...account, kind: 'platform' }, null)) ?? ''
  const [group] = await plant.rows<{ city_id: number }>('select min(city_id) as city_id from city')
  const other = { cityId: group?.city_id ?? 0, name: 'Other', timeZone: 'UTC', standard: 'GB' } as const
  otherProject = await findOrCreateProject(plant.database, other)
})
afterAll(async () => {
  await ingest?.end()
  await writer?.end()
  await plant?.close()
})
beforeEach(() => writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))"))
afterEach(() => writer.query('rollback'))

const version = async (table: 'gateway' | 'project', id: string): Promise<number> =>
  (await plant.rows<{ version: number }>(`select version from "${table}" where ${id}`))[0]?.version ?? 0
const ofSite = () => `project_id = ${site().id}`
const ofGateway = () => `gateway_id = ${plant.line().device.gateway.id}`

const edits: Readonly<Record<string, () => Promise<unknown>>> = {
  'a line is named': () =>
    renameLine(
      plant.database,
      { lineId: plant.line().id, gatewayId: plant.line().device.gateway.id, name: 'n', was: undefined },
      entry(),
    ),
  'a trip is explained': async () => {
    await plant.rows("update line set trip_latched = 'leakage'")
    const [line] = await plant.rows<{ n: number }>('select trip_latches as n from line')
    return saveTripCause(plant.database, { lineId: plant.line().id, tripSequence: line?.n ?? 0, cause: 'c' }, plant.now, entry())
  },
  'a gateway is named': async () => {
    const gatewayId = plant.line().device.gateway.id
    const change = { gatewayId, version: await version('gateway', ofGateway()), name: 'g', remark: undefined }
    return renameGateway(plant.database, change, entry())
  },
  'a gateway is enabled': () => setGateway(plant.database, plant.line().device.gateway.id, { disabled: false }, entry()),
  'a gateway moves': () =>
    moveGateways(
      plant.database,
      { gatewayIds: [plant.line().device.gateway.id], projectId: otherProject, most: 9, owner: null },
      entry(),
    ),
  'a gateway is added': () =>
    insertGateways(
      plant.database,
      { projectId: site().id, owner: null },
      [{ ...newGateway, number: 'G9', remark: '', secretHash: 'x' }],
      9,
      entry(),
    ),
  'a project is edited': async () =>
    updateProject(plant.database, site().id, await version('project', ofSite()), { remark: 'r' }, entry()),
  'a project goes to another group': async () =>
    transferProject(
      plant.database,
      { projectId: site().id, version: await version('project', ofSite()), ownerId: null, groupId: null },
      entry(),
    ),
  'a group gets a project': async () => {
    const [group] = await plant.rows<{ city_id: number }>('select min(city_id) as city_id from city')
    return moveProjects(plant.database, { groupId: group?.city_id ?? 0, projectIds: [site().id] }, entry())
  },
  'a subscription is made': () =>
    insertPush(
      plant.database,
      { projectId: site().id, platform: 'onenet', name: 'p', secret: 's', aesKey: null, products: {}, reportingPeriodMs: 60_000 },
      { most: 10, owner: null },
      entry(),
    ),
  'an account is edited': () => updateUser(plant.database, accountId, undefined, { nickName: 'n' }, entry()),
  'an account is given a project': () =>
    reassign(plant.database, accountId, { projectIds: [site().id], gatewayIds: [plant.line().device.gateway.id] }, entry()),
}
const newGateway = { name: 'g', imei: '490154203237518', addMethod: 'manual', platform: 'sparkplug', deviceType: '4G' } as const

/** What the transactions of this database wait for. */
const waiting = async (): Promise<string[]> =>
  (
    await plant.rows<{ locktype: string }>(`select locktype from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database() order by 1`)
  ).map(({ locktype }) => locktype)

test.each(Object.entries(edits))('while %s, a trip is ordered, and what happens on the line is stored', async (_, edit) => {
  const line = plant.line()
  const edited = edit()
  await vi.waitFor(async () => expect(await waiting()).toEqual(['advisory']))
  const order = {
    commandId: randomUUID(),
    lineId: line.id,
    action: 'trip',
    accountId,
    actor: 'a',
    source: 'console',
    reason: '',
    issuedAt: plant.now,
    deadline: plant.now + 5_000,
    operationId: null,
  } as const
  const trip = authorise(plant.database, order, entry('line.trip'))
  const batch = new Batch(1)
  batch.events.push({ ...linkEvent(line.device.gateway, 'stale', 'raise', plant.now), act: 'note', kind: 'journal', line })
  let stored = 0
  const commit = new Committer(ingest, 90).commit(batch, plant.now).then((events) => {
    stored = events.length
  })
  try {
    // The trip waits for the log too, and for nothing else.
    await vi.waitFor(async () => expect([await waiting(), stored]).toEqual([['advisory', 'advisory'], 1]))
  } finally {
    await writer.query('rollback')
    await Promise.all([edited, trip, commit])
  }
  expect((await trip).is).toBe('new')
})

/** Who gives equipment to somebody, and who takes it from everybody who may not see it any longer; of nothing that is there. */
const assignments: Readonly<Record<string, readonly [of: 'give' | 'take', () => Promise<unknown>]>> = {
  'an account is made': ['give', () => insertAccount(plant.database.general, { ...newAccount, kind: 'sub' }, null)],
  'an account is given a project': [
    'give',
    () => reassign(plant.database, accountId, { projectIds: [], gatewayIds: [] }, entry()),
  ],
  'a project is taken out': ['take', () => removeProject(plant.database, 0, entry())],
  'a project is transferred': [
    'take',
    () => transferProject(plant.database, { projectId: 0, version: undefined, ownerId: null, groupId: null }, entry()),
  ],
  'a gateway is taken out': ['take', () => removeGateway(plant.database, 0, entry())],
  'gateways move': [
    'take',
    () => moveGateways(plant.database, { gatewayIds: [0], projectId: otherProject, most: 9, owner: null }, entry()),
  ],
}
const newAccount = { userName: 'b', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }

test.each(Object.entries(assignments))(
  '%s: who gives equipment and who takes it wait for each other',
  async (_, [of, change]) => {
    const other = of === 'give' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
    await writer.query(`rollback; begin; select ${other}(hashtext('assignments'))`)
    const changed = change()
    try {
      await vi.waitFor(async () => expect(await waiting()).toEqual(['advisory']))
    } finally {
      await writer.query('rollback')
      await changed
    }
  },
)

const alarm = (act: 'raise' | 'return') => {
  const batch = new Batch(1)
  batch.events.push(linkEvent(plant.line().device.gateway, 'stale', act, plant.now))
  return new Committer(ingest, 90).commit(batch, plant.now)
}

test('while an alarm is acknowledged, it ends', async () => {
  const [raised] = await alarm('raise')
  const acknowledged = acknowledge(plant.database, raised?.row.event_id ?? '', entry('event.acknowledge'))
  try {
    await vi.waitFor(async () => expect(await waiting()).toEqual(['advisory']))
    expect(await alarm('return')).toMatchObject([{ row: { state: 'returned' } }])
  } finally {
    await writer.query('rollback')
    await acknowledged
  }
  expect(await acknowledged).toMatchObject({ changed: true, row: { state: 'normal' } })
})

test('while somebody has the row of an alarm, whoever acknowledges it waits without the turn at the log', async () => {
  const [raised] = await alarm('raise')
  const id = raised?.row.event_id ?? ''
  await writer.query('rollback')
  await ingest.query(`begin; select from event where event_id = ${id} for update`)
  const both = [1, 2].map(() => acknowledge(plant.database, id, entry('event.acknowledge')))
  try {
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2))
    const free = "select pg_try_advisory_lock(hashtext('audit')) as free"
    await vi.waitFor(async () => expect((await writer.query(free)).rows).toEqual([{ free: true }]))
  } finally {
    await writer.query('select pg_advisory_unlock_all()')
    await ingest.query('rollback')
    await Promise.all(both)
  }
  expect((await Promise.all(both)).map((each) => each?.changed).toSorted()).toEqual([false, true])
})
