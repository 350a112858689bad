import { maxOverrideMs } from '@linewarden/rules/automation'
import { closeConditions } from '@linewarden/rules/control'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { factsOf } from '../../field/orders/facts.ts'
import type { PlantLine } from '../../plant/plant.ts'
import * as stored from '../../store/control/command.ts'
import { Gate } from './gate.ts'
import { InterlockCheck } from './interlock-check.ts'
import { TestExecution } from './test-execution.ts'

// Orders through the gate to the dispatcher.
const server = new TestExecution()
const { authorised, begun, ready } = server

beforeAll(() => server.open())
afterEach(() => server.close())
afterAll(() => server.drop())

const actor = {
  accountId: '',
  sessionId: 's',
  userName: 'a',
  kind: 'platform',
  platform: true,
  administrator: true,
  buttons: [],
  privileges: [],
  shared: false,
  hasControlPassword: true,
  address: '',
} as unknown as Actor

const interlocks = () =>
  new InterlockCheck({
    database: server.database,
    ingest: { reach: () => 'yes' },
    quietUntil: () => null,
    clock: () => server.now,
  })

const gateOf = (take: () => void) =>
  new Gate({
    database: server.database,
    execution: server.execution,
    interlocks: interlocks(),
    impacts: { refuseUnlessConfirmed: async () => {} },
    clock: () => server.now,
    grants: {
      take: async () => {
        take()
        return true
      },
    },
  })

const order = (lineNo: number, action: 'trip' | 'close', commandId: string) =>
  ({
    line: server.line(lineNo),
    action,
    actor: { ...actor, accountId: server.accountId },
    source: 'console',
    reason: '',
    commandId,
    grant: 'g',
    deadlineMs: null,
  }) as const

test('pressed again after the answer to its COMMIT was lost, a trip leaves; a close past its deadline does not', async () => {
  await server.start()
  const gate = gateOf(() => {})
  const [trip, close] = [await authorised(19, 'trip'), await authorised(20, 'close')]
  expect(await gate.operate(order(19, 'trip', trip.commandId))).toMatchObject({ State: 'sent' })
  await gate.operate(order(19, 'trip', trip.commandId))
  expect(server.sent(trip.commandId)).toBe(1)
  server.now += 5_001
  expect(await gate.operate(order(20, 'close', close.commandId))).toMatchObject({ State: 'expired' })
  expect(server.sent(close.commandId)).toBe(0)
})

test('a close says until when timers leave the line: the next one needs no end, and an end lies ahead, two weeks at most', async () => {
  await server.start()
  ready(22, 'close')
  const gate = gateOf(() => {})
  const wish = (Kind: 'next' | 'until' | 'stay', Until?: number) =>
    gate.operate({ ...order(22, 'close', crypto.randomUUID()), override: { Kind, ...(Until !== undefined && { Until }) } })
  for (const until of [undefined, server.now, server.now + maxOverrideMs + 1])
    await expect(wish('until', until)).rejects.toMatchObject({ key: 'override end wrong' })
  await expect(wish('stay')).rejects.toMatchObject({ key: 'override stays open' })
  expect(await wish('next')).toMatchObject({ State: 'sent' })
})

test('what is hung while the control grant is fetched stops the close', async () => {
  await server.start()
  const line = server.line(21)
  line.device.gateway.link = 'online'
  line.device.gateway.clockSynchronised = true
  Object.assign(line, { liveAt: server.now, liveReceivedAt: server.now })
  for (const [key, value] of Object.entries({ position: 'open', 'trip.cause': 'none', 'lock.local': 'off', selfTest: 'passed' }))
    line.states.set(key, value)
  const refused = crypto.randomUUID()
  const gate = gateOf(() => {
    line.ownTags = [{ on: 'line', holder: 'zhang', reason: 'cable' } as PlantLine['ownTags'][number]]
  })
  await expect(gate.operate(order(21, 'close', refused))).rejects.toMatchObject({ key: 'close not permitted' })
  expect(await stored.commandById(server.database.control, refused)).toBeNull()
  line.ownTags = []
  await gateOf(() => {}).operate(order(21, 'close', refused))
  expect(server.sent(refused)).toBe(1)
})

test('asking what stands against an operation leaves what hangs on the line as it is', async () => {
  await server.start()
  const line = server.line(21)
  line.ownTags = [{ on: 'line', holder: 'zhang', reason: 'cable' } as PlantLine['ownTags'][number]]
  const asked = [
    await interlocks().permit(order(21, 'close', '').actor, line, 'close'),
    await interlocks().permitsOf(order(21, 'close', '').actor, [line], 'close'),
  ]
  expect(asked).toHaveLength(2)
  expect(line.ownTags).toHaveLength(1)
})

test('a trip that another server was told of stops the close until somebody has explained it, and is known here from then on', async () => {
  await server.start()
  ready(23, 'close')
  const line = server.line(23)
  await sql`update line set trip_latched = 'leakage', trip_latches = 4 where line_id = ${line.id}`.execute(
    server.database.general,
  )
  const { MayClose, Conditions } = await interlocks().permit(order(23, 'close', '').actor, line, 'close')
  expect([MayClose, Conditions.flatMap(({ Key, Met }) => (Met ? [] : Key))]).toEqual([false, ['tripCause']])
  const refused = gateOf(() => {}).operate(order(23, 'close', crypto.randomUUID()))
  await expect(refused).rejects.toMatchObject({ key: 'close not permitted', detail: { blocks: [{ Key: 'tripCause' }] } })
  // Who explains it here explains that trip.
  expect([line.lockoutCause, line.tripSequence]).toEqual(['leakage', 4])
})

test('a self-test that failed on another server stops the close, until a newer one has passed', async () => {
  await server.start()
  ready(24, 'close')
  const line = server.line(24)
  const recorded = (result: 'passed' | 'failed', at: number) =>
    sql`with c as (
        insert into command (command_id, line_id, action, state, account_id, actor, source, reason, fence, issued_at, deadline)
        values (gen_random_uuid(), ${line.id}, 'selfTest', 'verified', ${server.accountId}, 'a', 'console', '', 1, now(), now())
        returning command_id, line_id
      )
      insert into self_test (command_id, line_id, at, actor, result, trip_ms, limit_ms, model)
      select command_id, line_id, ${new Date(at)}, 'a', ${result}, 900, 300, '3P' from c`.execute(server.database.general)
  const unmet = async () => {
    const { Conditions } = await interlocks().permit(order(24, 'close', '').actor, line, 'close')
    return Conditions.flatMap(({ Key, Met }) => (Met ? [] : Key))
  }
  await recorded('failed', server.now)
  expect(await unmet()).toEqual(['selfTest'])
  await recorded('passed', server.now + 1)
  expect(await unmet()).toEqual([])
  await recorded('failed', server.now + 2)
  const refused = gateOf(() => {}).operate(order(24, 'close', crypto.randomUUID()))
  await expect(refused).rejects.toMatchObject({ key: 'close not permitted', detail: { blocks: [{ Key: 'selfTest' }] } })
  expect(line.selfTest).toEqual({ at: server.now + 2, result: 'failed', tripMs: 900 })
})

test('the ten seconds between operations count from the sending, also of a trip that moved nothing', async () => {
  await server.start()
  await begun(20, 'trip')
  ready(20, 'close')
  const line = server.line(20)
  const gap = (at: number) =>
    closeConditions(factsOf(line, { reach: 'yes', quietUntil: null }), { mayOperate: true, shared: false }, at).find(
      ({ key }) => key === 'gap',
    )
  expect(gap(server.now + 9_999)).toMatchObject({ met: false, until: server.now + 10_000 })
  expect(gap(server.now + 10_000)).toMatchObject({ met: true })
})
