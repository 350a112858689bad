import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { takeHandle } from '../../store/account/remember.ts'
import { deleteSessionsOf, endThese, sessionsOf } from '../../store/account/session.ts'
import { createSessionList } from '../people/session-list.ts'
import { delayedTurn, device, now, TestGroupOperations } from './test-group-operations.ts'

// A group lasts no longer than the sign-in that it came from, except to trip.
const groups = new TestGroupOperations()
const { ended, errors, failing, firstOrdered, lock, left, lost, placed, refusedIn, operation, serve, start, statesOf, waiting } =
  groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

/** Somebody else who gave their password. */
async function signedIn(): Promise<Actor> {
  const { rows } = await sql<{ account_id: string; session_id: string }>`
    with chief as (insert into account (user_name, kind, password_hash) values ('chief', 'platform', '') returning account_id)
    insert into session (account_id, token, created_at, last_used_at, address, proved_at)
      select account_id, 'chief', now(), now(), '', now() from chief returning account_id, session_id`.execute(
    groups.database.general,
  )
  const [row] = rows
  if (!row) throw new Error('nobody')
  return { ...groups.actor, userName: 'chief', accountId: row.account_id, sessionId: row.session_id }
}

/** Ends sign-ins as who does it asks for it. */
const endSignIns = (actor: Actor) =>
  createSessionList({
    database: groups.database,
    accounts: {
      aliveSessions: (accountId) => sessionsOf(groups.database.control, accountId),
      endThese: (which, audit) => endThese(groups.database.control, which, audit),
    },
    reach: async () => ({ ...groups.actor, ownerId: null }) as never,
    clock: () => now,
  }).end({ ...actor, provedAt: now }, { AccountID: groups.actor.accountId })

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'they end their other sign-ins from elsewhere': () => endSignIns({ ...groups.actor, sessionId: '999' }),
  'somebody ends the session it was started from': () =>
    endThese(groups.database.control, { sessionIds: [groups.actor.sessionId], rememberIds: [] }, null),
  'the device it was started on is forgotten, whatever session is on it by then': () =>
    endThese(groups.database.control, { sessionIds: [], rememberIds: [device] }, null),
  'a copied handle of its device is used': () =>
    takeHandle(groups.database.control, {
      ...{ handleHash: 'spent', nextHash: '', address: 'elsewhere', now, attended: true, expiresAt: now, maxMs: now },
    }),
  'the password is changed, the account disabled or deleted': () =>
    deleteSessionsOf(groups.database.control, groups.actor.accountId),
}

test.each(Object.keys(ways))('when %s, closes and tests go no further, also on another server, and say why', async (way) => {
  for (const line of placed(3, 4)) line.states.set('position', 'closed')
  const turn = delayedTurn()
  const [closer, tester] = [await serve(turn), await serve(turn)]
  const close = await start(closer, placed(1, 2))
  const selfTest = await start(tester, placed(3, 4), 'selfTest')
  await vi.waitFor(() => expect(turn.turns).toBe(2))
  await ways[way]?.()
  turn.go()
  for (const operationId of [close, selfTest]) {
    await ended(operationId)
    const refusal = { key: 'run sign-in ended', text: { zh: expect.any(String), en: expect.any(String) } }
    expect(await operation(operationId)).toMatchObject({
      stoppedBy: null,
      lines: [1, 2].map(() => ({ state: 'missed', refusal })),
    })
  }
  expect(left).toEqual([])
  const missed = (await refusedIn()).filter(({ action }) => action.startsWith('run.'))
  expect(new Map(missed.map(({ target, after }) => [target, after]))).toEqual(
    new Map([
      [close, { missed: ['dgp1/1', 'dgp1/2'], refusal: 'run sign-in ended' }],
      [selfTest, { missed: ['dgp1/3', 'dgp1/4'], refusal: 'run sign-in ended' }],
    ]),
  )
})

test('a group that waits out its pause when its sign-in is ended is over at the next look', async () => {
  const operations = await serve()
  const operationId = await start(operations)
  await firstOrdered(operationId)
  await ways['somebody ends the session it was started from']?.()
  await operations.sweep()
  await ended(operationId)
  expect(await statesOf(operationId)).toEqual(['ordered', 'missed', 'missed'])
})

test('all that a person left running is over when all their sign-ins are ended, also when none is open by then', async () => {
  const { control } = groups.database
  const administrator = await signedIn()
  const operations = await serve()
  const close = await start(operations)
  await firstOrdered(close)
  await endThese(control, { sessionIds: [groups.actor.sessionId], rememberIds: [], signingOut: true }, null)
  expect(await endSignIns(administrator)).toEqual({ Ended: 0 })
  await operations.sweep()
  await ended(close)
  expect(await statesOf(close)).toEqual(['ordered', 'missed', 'missed'])
  const entries = groups.database.general.selectFrom('audit').select(['actor', 'after']).where('action', '=', 'session.end')
  expect(await entries.where('audit_id', '>', groups.logged).execute()).toEqual([{ actor: 'chief', after: { ended: 0 } }])
})

test('whoever ends their other sign-ins keeps what they started from here and on this device, and nothing else', async () => {
  const operations = await serve()
  const [here, onDevice, elsewhere] = [await lost(), await lost(), await lost()]
  const { general } = groups.database
  await sql`update operation_run set session_id = ${groups.actor.sessionId} where run_id = ${here}`.execute(general)
  await sql`update operation_run set session_id = 998, remember_id = ${device} where run_id = ${onDevice}`.execute(general)
  await sql`update operation_run set session_id = 998 where run_id = ${elsewhere}`.execute(general)
  await endSignIns(groups.actor)
  const over = await sql`select run_id from operation_run where revoked_at is not null`.execute(general)
  expect(over.rows).toEqual([{ run_id: elsewhere }])
  // Without a device it is the session alone.
  await sql`update session set remember_id = null`.execute(general)
  await endSignIns(groups.actor)
  const open = await sql`select run_id from operation_run where revoked_at is null`.execute(general)
  expect(open.rows).toEqual([{ run_id: here }])
  await operations.close()
})

test('a group goes on when its person signs out or another session ends, and a trip goes on whatever ends', async () => {
  const { control } = groups.database
  const operations = await serve()
  const close = await start(operations)
  await firstOrdered(close)
  await endThese(control, { sessionIds: ['999'], rememberIds: [] }, null)
  await endThese(control, { sessionIds: [groups.actor.sessionId], rememberIds: [], signingOut: true }, null)
  await operations.sweep()
  expect(await statesOf(close)).toEqual(['ordered', 'waiting', 'waiting'])
  await operations.stop(groups.actor, close)
  // By now the session is gone: nothing is energised from it, and power is still cut.
  await expect(start(operations)).rejects.toMatchObject({ key: 'session expired' })
  left.length = 0
  const turn = delayedTurn()
  const tripper = await serve(turn)
  const every = [...groups.plant.lines.values()]
  const trip = await start(tripper, every, 'trip')
  await vi.waitFor(() => expect(turn.turns).toBeGreaterThan(0))
  await deleteSessionsOf(control, groups.actor.accountId)
  await tripper.sweep()
  turn.go()
  await ended(trip)
  expect(await statesOf(trip)).toEqual(every.map(() => 'ordered'))
  expect(left).toHaveLength(every.length)
})

test('a stop counts more than a miss that could not be stored yet', async () => {
  await failing('operation_run', 1, 'new.ended_at is not null')
  const operations = await serve()
  const operationId = await start(operations)
  await firstOrdered(operationId)
  await ways['somebody ends the session it was started from']?.()
  await operations.sweep()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  await operations.stop(groups.actor, operationId)
  expect(await operation(operationId)).toMatchObject({
    stoppedBy: 'admin',
    lines: [{ state: 'ordered' }, { state: 'stopped' }, { state: 'stopped' }],
  })
})

test('a close that begins while its sign-in is being ended waits for that, and is not begun; a trip waits for nothing', async () => {
  const release = await lock('delete from session')
  const operations = await serve()
  const close = start(operations)
  const outcome = expect(close).rejects.toMatchObject({ key: 'session expired' })
  await waiting(1)
  await ended(await start(operations, placed(1), 'trip'))
  await release('commit')
  await outcome
  expect(left.map(({ action }) => action)).toEqual(['trip'])
})
