import type { Refusal } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { isWritten } from '../../audit/audited.ts'
import { TestGroupOperations } from './test-group-operations.ts'

// Who sees a group, and what of it.
const groups = new TestGroupOperations()
const { firstOrdered, gateOf, operation, serve, start } = groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

/** Somebody who sees the equipment of one project; `of`: who it is. */
const seeing = (project: 1 | 2, of: Partial<Actor> = {}): Actor => {
  const seen = groups.line(1, project).device.gateway.project.id
  const actor = {
    ...groups.actor,
    platform: false,
    administrator: false,
    accountId: crypto.randomUUID(),
    userName: 'other',
    ...of,
  }
  return {
    ...actor,
    sees: (id) => id === seen,
    seesPart: (id) => id === seen,
    seesGateway: (gateway) => gateway.project.id === seen,
    scope: { all: false, projectIds: [seen], gatewayIds: [], tenant: null, administrator: false, accountId: actor.accountId },
  }
}

const nobody = (of: Partial<Actor> = {}): Actor => {
  const actor = seeing(1, of)
  return {
    ...actor,
    sees: () => false,
    seesPart: () => false,
    seesGateway: () => false,
    scope: { ...actor.scope, projectIds: [] },
  }
}

test('whoever sees one of its lines, or started it, reads of a group what they see, finds it and stops it; a stranger does not', async () => {
  const operations = await serve()
  const mixed = [groups.line(1), groups.line(2), groups.line(1, 2)]
  const { accountId } = groups.actor
  const read = async (actor: Actor, operationId: string) => {
    const { Whole, Lines } = await operations.get(actor, operationId)
    const { items, total } = await operations.list(actor, { Running: true })
    return [Whole, Lines.map(({ ControllerID, LineNo }) => `${ControllerID}/${LineNo}`), items.map(({ Total }) => Total), total]
  }
  const operationId = await start(operations, mixed)
  await firstOrdered(operationId)
  expect(await read(groups.actor, operationId)).toEqual([true, ['dgp1/1', 'dgp1/2', 'dgp2/1'], [3], 1])
  // Nor is it whole to whoever sees everything, when a line of it is gone.
  const gone = groups.line(2)
  groups.plant.lines.delete(gone.id)
  expect((await read(groups.actor, operationId)).slice(0, 2)).toEqual([false, ['dgp1/1', 'dgp2/1']])
  groups.plant.lines.set(gone.id, gone)
  expect(await read(seeing(1), operationId)).toEqual([false, ['dgp1/1', 'dgp1/2'], [2], 1])
  expect(await read(seeing(2), operationId)).toEqual([false, ['dgp2/1'], [1], 1])
  expect(await read(seeing(2, { accountId }), operationId)).toEqual([false, ['dgp2/1'], [1], 1])
  expect(await read(nobody({ accountId }), operationId)).toEqual([false, [], [0], 1])
  // Sent again, it is answered the same way.
  const again = await operations.start(seeing(2, { accountId }), 'close', mixed, { RunID: operationId, Reason: 'x' })
  expect(again.Lines.map(({ ControllerID }) => ControllerID)).toEqual(['dgp2'])
  const stranger = nobody()
  await expect(operations.get(stranger, operationId)).rejects.toMatchObject({ key: 'operation not exists' })
  await expect(operations.stop(stranger, operationId)).rejects.toMatchObject({ key: 'operation not exists' })
  expect(await operations.list(stranger, {})).toEqual({ items: [], total: 0 })
  expect((await operation(operationId))?.endedAt).toBeNull()
  expect((await operations.stop(seeing(2), operationId)).Lines.map(({ State }) => State)).toEqual(['stopped'])
  const own = await start(operations, mixed)
  expect(await operations.stop(nobody({ accountId, userName: 'admin' }), own)).toMatchObject({
    StoppedBy: 'admin',
    Whole: false,
    Lines: [],
  })
})

test('of many groups a page of the newest is listed, and all that are seen are counted', async () => {
  await sql`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at)
    select gen_random_uuid(), 'trip', n::text, '', 1000, to_timestamp(n), now() from generate_series(1, 7) n`.execute(
    groups.database.general,
  )
  await sql`insert into operation_run_line (run_id, position, line_id, command_id, state)
    select run_id, 0, case when actor::int % 2 = 0 then ${groups.line(1).id}::int else ${groups.line(1, 2).id}::int end, gen_random_uuid(), 'ordered'
    from operation_run`.execute(groups.database.general)
  const operations = await serve()
  const page = async (actor: Actor, query: { Page?: number; Size?: number; Running?: boolean }) => {
    const { items, total } = await operations.list(actor, query)
    return [items.map(({ Actor: name, Ordered }) => `${name}: ${Ordered}`), total]
  }
  expect(await page(groups.actor, { Size: 2 })).toEqual([['7: 1', '6: 1'], 7])
  expect(await page(groups.actor, { Size: 3, Page: 3 })).toEqual([['1: 1'], 7])
  expect(await page(seeing(2), { Size: 3 })).toEqual([['7: 1', '5: 1', '3: 1'], 4])
  expect(await page(seeing(2), { Size: 3, Page: 9 })).toEqual([[], 4])
  expect(await page(seeing(1), { Running: true })).toEqual([[], 0])
})

test('of a group that could not operate a single line, each owner reads why it was of a line of their own', async () => {
  const { database, actor } = groups
  groups.line(1, 2).device.gateway.project.ownerId = actor.accountId
  const gate = gateOf('not_connected')
  const places = [groups.line(1), groups.line(2), groups.line(3, 2), groups.line(4, 2)]
  const orders = places.map((line) => ({
    line,
    action: 'close' as const,
    actor,
    source: 'group' as const,
    reason: 'x',
    commandId: crypto.randomUUID(),
    grant: null,
    deadlineMs: null,
  }))
  const refusal = await gate.refuseUnlessAnyPermitted(orders).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ key: 'close not permitted' })
  expect(isWritten(refusal as Refusal)).toBe(true)
  const rows = await database.general
    .selectFrom('audit')
    .select(['tree', 'target'])
    .where('audit_id', '>', groups.logged)
    .orderBy('audit_id')
    .execute()
  expect(rows).toEqual([
    { tree: null, target: 'dgp1/1' },
    { tree: actor.accountId, target: 'dgp2/3' },
  ])
})
