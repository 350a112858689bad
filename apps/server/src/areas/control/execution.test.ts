import { aboutNothing } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import { closeConditions, freshForMs } from '@linewarden/rules/control'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { factsOf } from '../../field/orders/facts.ts'
import type { OutgoingCommand } from '../../field/orders/outgoing.ts'
import type { CommandResult, Committed } from '../../plant/hub.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import { pendingOf } from '../../plant/plant.ts'
import { toldLive } from '../../plant/test-topics.ts'
import { insertAccount } from '../../store/account/account.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import { insertSelfTest, selfTestsOf, unrecordedSelfTests } from '../../store/control/self-test.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { startExecution } from './execution.ts'
import { Gate } from './gate.ts'
import { InterlockCheck } from './interlock-check.ts'

// What leaves for the equipment, when, and what counts as proof: the real dispatcher over a real database; only the wire is ours, and the time.
let db: TestDatabase
let accountId = ''
let now = Date.now()
let house: Awaited<ReturnType<typeof build>>
/** What the log warned of, by order. */
let warned: string[] = []
const log = { error: console.error, warn: ({ commandId }: StoredCommand) => warned.push(commandId) } as unknown as Logger
const audit = { at: now, actor: 'a', address: '', action: 'line.trip', subject: aboutNothing, outcome: 'authorised' } as const

beforeAll(async () => {
  db = await testDatabase()
  await sql`with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, no, 'g', 'x' from p, unnest(array['G-1', 'G-2']) no
      returning gateway_id, number),
    d as (insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, 'D', 'd', 'breaker3p', '3P' from g where number = 'G-1' returning device_id)
    insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 31) no`.execute(
    db.database.general,
  )
  const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
  accountId = (await insertAccount(db.database.general, { ...account, kind: 'platform' }, null)) ?? ''
})
afterAll(() => db?.drop())
afterEach(() => house?.execution.close())

/** A server that has just started on this database. `early`: what gateways said before it listened. */
async function build(early: (line: (lineNo: number) => PlantLine) => Committed = () => ({})) {
  const plant = await loadPlant(db.database)
  const wire: OutgoingCommand[] = []
  /** Gateways that hang up before the message leaves. */
  const gone = new Set<PlantGateway>()
  const hub = new Hub((error) => {
    throw error
  })
  const line = (lineNo: number): PlantLine => {
    const found = plant.lineAt('D', lineNo)
    if (!found) throw new Error(`no line ${lineNo}`)
    return found
  }
  hub.keepEarly()
  hub.publish(early(line))
  const execution = await startExecution({
    database: db.database,
    plant,
    hub,
    ingest: {
      reach: () => 'yes',
      hasValidPosition: () => true,
      send(command) {
        if (gone.has(command.gateway)) return 'no_session'
        wire.push(command)
        return 'sent'
      },
    },
    quietUntil: () => null,
    clock: () => now,
    log,
    onSettled() {},
  })
  hub.forgetEarly()
  return { plant, hub, line, gone, execution, sent: (id: string) => wire.filter(({ commandId }) => commandId === id).length }
}

/** Everything is reported just now, and nothing stands against the action. */
const ready = (lineNo: number, action: ActionKey) => {
  const line = house.line(lineNo)
  line.device.gateway.link = 'online'
  line.liveAt = line.liveReceivedAt = now
  line.states.set('position', action === 'close' ? 'open' : 'closed')
  for (const [key, value] of Object.entries({ 'lock.local': 'off', 'trip.cause': 'none', selfTest: 'passed' }))
    line.states.set(key, value)
}

const authorised = async (lineNo: number, action: ActionKey, commandId: string = crypto.randomUUID()): Promise<StoredCommand> => {
  ready(lineNo, action)
  const result = await stored.authorise(
    db.database,
    {
      commandId,
      lineId: house.line(lineNo).id,
      action,
      accountId,
      actor: 'a',
      source: 'console',
      reason: '',
      issuedAt: now,
      deadline: now + (action === 'trip' ? 30_000 : 5_000),
      runId: null,
    },
    audit,
  )
  if (result.is !== 'new') throw new Error(result.is)
  return result.command
}
const begun = async (lineNo: number, action: ActionKey): Promise<string> => {
  const command = await authorised(lineNo, action)
  await house.execution.begin(command)
  return command.commandId
}
const ofId = async (id: string) => {
  const command = await stored.commandById(db.database.control, id)
  return { state: command?.state, outcome: command?.outcome }
}
/** The line reports its position now. */
const position = async (lineNo: number, value: 'open' | 'closed') => {
  house.hub.publish({ reports: [reportOf(house.line(lineNo), value)] })
  await house.execution.tick()
}
const reportOf = (line: PlantLine, value: string) => ({
  line,
  state: 'position',
  value,
  first: false,
  changed: true,
  deviceAt: now,
  receivedAt: now,
})
const answers = async (lineNo: number, commandId: string, answer: Partial<CommandResult>) => {
  const { gateway } = house.line(lineNo).device
  const result = { commandId, gateway, status: 'accepted', reason: null, tripMs: null, receivedAt: now } as const
  house.hub.publish({ results: [{ ...result, ...answer }] })
  await house.execution.tick()
}
/** Does something in the moment between "sent" being stored and the message leaving. */
const whenSent = (commandId: string, work: () => void) => {
  const stop = house.hub.subscribe((committed) => {
    if (!toldLive('command', committed).some(({ command }) => command.CommandID === commandId && command.State === 'sent')) return
    stop()
    work()
  })
}

const standing: readonly (readonly [string, (line: PlantLine) => unknown])[] = [
  ['trip_ordered', (line) => Object.assign(line, { tripFence: Number.POSITIVE_INFINITY })],
  ['tripped', (line) => Object.assign(line, { lockoutCause: 'leakage' })],
  ['local_lock', (line) => line.states.set('lock.local', 'on')],
  ['offline', ({ device }) => Object.assign(device.gateway, { link: 'stale' })],
  ['clock_unsynchronised', ({ device }) => Object.assign(device.gateway, { clockSynchronised: false })],
  ['values_old', (line) => Object.assign(line, { liveAt: now - freshForMs - 1, liveReceivedAt: now - freshForMs - 1 })],
  ['position_changed', (line) => line.states.set('position', 'closed')],
  ['self_test_open', (line) => Object.assign(line, { selfTest: { at: now, result: 'failed', tripMs: 900 } })],
  ['inspection', (line) => Object.assign(line, { inspectionUntil: now + 1 })],
  ['tagged', (line) => Object.assign(line, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
  ['tagged', (line) => Object.assign(line.device, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
  ['tagged', (line) => Object.assign(line.device.gateway, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
]

test.each(standing)('a close never leaves once there is something against it: %s', async (outcome, happens) => {
  house = await build()
  const command = await authorised(1, 'close')
  happens(house.line(1))
  await house.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'expired', outcome })
  expect(house.sent(command.commandId)).toBe(0)
})

test.each(standing)('nor when that comes while "sent" is being stored: %s', async (outcome, happens) => {
  house = await build()
  const command = await authorised(1, 'close')
  whenSent(command.commandId, () => happens(house.line(1)))
  await house.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome })
  expect(house.sent(command.commandId)).toBe(0)
})

test('a close whose deadline passes while "sent" is being stored never leaves', async () => {
  house = await build()
  const command = await authorised(1, 'close')
  whenSent(command.commandId, () => {
    now = command.deadline + 1
  })
  await house.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome: 'deadline_passed' })
  expect(house.sent(command.commandId)).toBe(0)
})

test('a gateway that hangs up at the last moment gets no close later; a trip it gets, and the log tells of both', async () => {
  house = await build()
  const { gateway } = house.line(1).device
  house.gone.add(gateway)
  warned = []
  const close = await begun(1, 'close')
  const trip = await begun(2, 'trip')
  expect(await ofId(close)).toEqual({ state: 'refused', outcome: 'offline' })
  expect(await ofId(trip)).toEqual({ state: 'sent', outcome: null })
  expect(warned).toEqual([close, trip])
  house.gone.delete(gateway)
  now += 1_000
  await house.execution.tick()
  expect([house.sent(close), house.sent(trip)]).toEqual([0, 1])
  expect(warned).toEqual([close, trip])
  await position(2, 'open')
})

test('a close that is begun after a trip is held by the trip and does not hide it', async () => {
  house = await build()
  const close = await authorised(2, 'close')
  const trip = await begun(2, 'trip')
  await house.execution.begin(close)
  expect(house.sent(close.commandId)).toBe(0)
  expect(pendingOf(house.line(2))).toEqual({ commandId: trip, action: 'trip' })
  expect(house.sent(trip)).toBe(1)
})

test('also when that trip is over by then', async () => {
  house = await build()
  const close = await authorised(14, 'close')
  const trip = await begun(14, 'trip')
  await answers(14, trip, {})
  await position(14, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  await house.execution.begin(close)
  expect(house.sent(close.commandId)).toBe(0)
  expect(await ofId(close.commandId)).toEqual({ state: 'expired', outcome: 'trip_ordered' })
})

test('a trip that ends leaves the close before it in sight, until that has ended too', async () => {
  house = await build()
  const close = await begun(15, 'close')
  const trip = await begun(15, 'trip')
  expect(pendingOf(house.line(15))).toEqual({ commandId: trip, action: 'trip' })
  await answers(15, trip, {})
  await position(15, 'open')
  expect(pendingOf(house.line(15))).toEqual({ commandId: close, action: 'close' })
  await answers(15, close, { status: 'refused', reason: 'older_fence' })
  expect(pendingOf(house.line(15))).toBeNull()
})

test('while a close may still travel, "open" proves a trip only after the gateway took the trip', async () => {
  house = await build()
  const close = await begun(3, 'close')
  const trip = await begun(3, 'trip')
  await position(3, 'open')
  expect((await ofId(trip)).state).toBe('sent')
  await answers(3, trip, { status: 'refused', reason: 'seen_id' })
  expect((await ofId(trip)).state).toBe('acknowledged')
  await position(3, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  await answers(3, close, { status: 'refused', reason: 'older_fence' })
  expect(await ofId(close)).toEqual({ state: 'refused', outcome: 'older_fence' })
})

test('without one, or long after it, "open" proves it at once', async () => {
  house = await build()
  const alone = await begun(4, 'trip')
  await position(4, 'open')
  expect((await ofId(alone)).state).toBe('verified')
  await begun(5, 'close')
  const trip = await begun(5, 'trip')
  now += 10_001
  await position(5, 'open')
  expect((await ofId(trip)).state).toBe('verified')
})

test('a trip is sent again every second until the position proves it, also after the gateway took it', async () => {
  house = await build()
  const trip = await begun(6, 'trip')
  await answers(6, trip, {})
  now += 1_000
  await house.execution.tick()
  expect(house.sent(trip)).toBe(2)
  await answers(6, trip, { status: 'refused', reason: 'seen_id' })
  await answers(6, trip, { status: 'refused', reason: 'older_fence' })
  expect((await ofId(trip)).state).toBe('acknowledged')
  now += 1_000
  await position(6, 'open')
  const sent = house.sent(trip)
  now += 1_000
  await house.execution.tick()
  expect(house.sent(trip)).toBe(sent)
  expect((await ofId(trip)).state).toBe('verified')
})

test('a trip is not sent again after its deadline, and a close never is', async () => {
  house = await build()
  const trip = await begun(7, 'trip')
  const close = await begun(8, 'close')
  now += 1_500
  await house.execution.tick()
  expect([house.sent(trip), house.sent(close)]).toEqual([2, 1])
  now += 29_000
  await house.execution.tick()
  expect(house.sent(trip)).toBe(2)
})

test('in the moment of its deadline a trip is sent again, also when the server starts just then', async () => {
  house = await build()
  const command = await authorised(7, 'trip')
  await house.execution.begin(command)
  now = command.deadline
  await house.execution.tick()
  expect(house.sent(command.commandId)).toBe(2)
  await house.execution.close()
  house = await build()
  await house.execution.tick()
  expect(house.sent(command.commandId)).toBe(1)
  expect(await ofId(command.commandId)).toEqual({ state: 'sent', outcome: null })
  await position(7, 'open')
})

test('a trip goes on after a restart of the server while its time lasts; a close is unknown from there', async () => {
  house = await build()
  const [trip, close] = [await begun(9, 'trip'), await begun(10, 'close')]
  const { commandId: waiting } = await authorised(11, 'trip')
  await answers(9, trip, {})
  await house.execution.close()
  now += 2_000
  house = await build()
  expect(pendingOf(house.line(9))?.action).toBe('trip')
  await house.execution.tick()
  expect([house.sent(trip), house.sent(waiting), house.sent(close)]).toEqual([1, 1, 0])
  expect(await ofId(close)).toEqual({ state: 'unknown', outcome: 'server_restarted' })
  await position(9, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  const { commandId: late } = await authorised(12, 'trip')
  await house.execution.close()
  now += 30_001
  house = await build()
  await house.execution.tick()
  expect(house.sent(late)).toBe(0)
  expect((await ofId(late)).state).toBe('expired')
})

test('what was reported before the server listened is proof all the same', async () => {
  house = await build()
  const close = await begun(13, 'close')
  await house.execution.close()
  now += 1_000
  house = await build((line) => ({ reports: [reportOf(line(13), 'closed')] }))
  await house.execution.tick()
  expect((await ofId(close)).state).toBe('verified')
})

test('a line that tripped again after closing is not said to have failed to close', async () => {
  house = await build()
  const close = await begun(14, 'close')
  now += 10_001
  await house.execution.tick()
  house.line(14).lockoutCause = 'short'
  await position(14, 'open')
  expect(await ofId(close)).toEqual({ state: 'failed', outcome: 'tripped_again' })
})

test('only the gateway that was asked answers for an order', async () => {
  house = await build()
  const close = await begun(15, 'close')
  const other = house.plant.gatewayByNumber.get('G-2')
  if (!other) throw new Error('no gateway')
  await answers(15, close, { gateway: other, status: 'refused', reason: 'local_lock' })
  expect((await ofId(close)).state).toBe('sent')
  await answers(15, close, { status: 'refused', reason: 'local_lock' })
  expect((await ofId(close)).state).toBe('refused')
})

test('an order that is begun twice is sent once, also when it was over in between', async () => {
  house = await build()
  const command = await authorised(16, 'close')
  await Promise.all([house.execution.begin(command), house.execution.begin(command)])
  await position(16, 'closed')
  await house.execution.begin(command)
  expect(house.sent(command.commandId)).toBe(1)
  expect((await ofId(command.commandId)).state).toBe('verified')
})

test('an order that nobody carries is over some seconds after its deadline, and stands in the way no longer', async () => {
  house = await build()
  const lost = await authorised(17, 'close')
  const carried = await begun(18, 'trip')
  now = lost.deadline + 10_000
  await house.execution.sweep()
  expect((await ofId(lost.commandId)).state).toBe('authorised')
  now += 1
  await house.execution.sweep()
  expect(await ofId(lost.commandId)).toEqual({ state: 'expired', outcome: 'deadline_passed' })
  expect((await ofId(carried)).state).toBe('sent')
  await expect(authorised(17, 'close')).resolves.toMatchObject({ state: 'authorised' })
})

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
    database: db.database,
    ingest: { reach: () => 'yes' },
    quietUntil: () => null,
    clock: () => now,
  })
const gateOf = (take: () => void) =>
  new Gate({
    database: db.database,
    execution: house.execution,
    interlocks: interlocks(),
    impacts: { refuseUnlessConfirmed: async () => {} },
    clock: () => now,
    grants: {
      take: async () => {
        take()
        return true
      },
    },
  })
const order = (lineNo: number, action: 'trip' | 'close', commandId: string) =>
  ({
    line: house.line(lineNo),
    action,
    actor: { ...actor, accountId },
    source: 'console',
    reason: '',
    commandId,
    grant: 'g',
    deadlineMs: null,
  }) as const

test('pressed again after the answer to its COMMIT was lost, a trip leaves; a close past its deadline does not', async () => {
  house = await build()
  const gate = gateOf(() => {})
  const [trip, close] = [await authorised(19, 'trip'), await authorised(20, 'close')]
  expect(await gate.operate(order(19, 'trip', trip.commandId))).toMatchObject({ State: 'sent' })
  await gate.operate(order(19, 'trip', trip.commandId))
  expect(house.sent(trip.commandId)).toBe(1)
  now += 5_001
  expect(await gate.operate(order(20, 'close', close.commandId))).toMatchObject({ State: 'expired' })
  expect(house.sent(close.commandId)).toBe(0)
})

test('what is hung while the control grant is fetched stops the close', async () => {
  house = await build()
  const line = house.line(21)
  line.device.gateway.link = 'online'
  line.device.gateway.clockSynchronised = true
  Object.assign(line, { liveAt: now, liveReceivedAt: now })
  for (const [key, value] of Object.entries({ position: 'open', 'trip.cause': 'none', 'lock.local': 'off', selfTest: 'passed' }))
    line.states.set(key, value)
  const refused = crypto.randomUUID()
  const gate = gateOf(() => {
    line.ownTags = [{ on: 'line', holder: 'zhang', reason: 'cable' } as PlantLine['ownTags'][number]]
  })
  await expect(gate.operate(order(21, 'close', refused))).rejects.toMatchObject({ key: 'close not permitted' })
  expect(await stored.commandById(db.database.control, refused)).toBeNull()
  line.ownTags = []
  await gateOf(() => {}).operate(order(21, 'close', refused))
  expect(house.sent(refused)).toBe(1)
})

/** The line reports where its self-test stands. `changed`: it was something else before. */
const tested = async (lineNo: number, value: string, changed: boolean) => {
  house.hub.publish({ reports: [{ ...reportOf(house.line(lineNo), value), state: 'selfTest', changed }] })
  await house.execution.tick()
}

test.each(['passed', 'failed'] as const)(
  'the %s of an earlier self-test, told once more after the answer, is no outcome of this one',
  async (earlier) => {
    house = await build()
    const lineNo = earlier === 'passed' ? 22 : 23
    const { device } = house.line(lineNo)
    for (const [family, outcome] of [
      ['detectorRs', { passed: ['verified', null], failed: ['failed', 'self_test_failed'] }],
      // Proven by the measured time and the open position: of passing it says nothing else.
      ['breaker3p', { passed: ['acknowledged', null], failed: ['verified', 'test_failed'] }],
    ] as const) {
      device.family = familyOf(family) ?? device.family
      const id = await begun(lineNo, 'selfTest')
      // What changes before the equipment has taken the order is somebody else's test.
      await tested(lineNo, earlier, true)
      expect(await ofId(id)).toEqual({ state: 'sent', outcome: null })
      await answers(lineNo, id, {})
      await tested(lineNo, earlier, false)
      await tested(lineNo, 'running', true)
      expect(await ofId(id)).toEqual({ state: 'acknowledged', outcome: null })
      const later = earlier === 'passed' ? 'failed' : 'passed'
      await tested(lineNo, later, true)
      const [state, why] = outcome[later]
      expect(await ofId(id)).toEqual({ state, outcome: why })
    }
  },
)

test('one outcome proves one self-test: not one that a newer one has overtaken, and not as a birth tells it', async () => {
  house = await build()
  const { device } = house.line(31)
  device.family = familyOf('detectorRs') ?? device.family
  const lost = await begun(31, 'selfTest')
  await answers(31, lost, {})
  now += 20_000
  await house.execution.tick()
  expect((await ofId(lost)).state).toBe('unknown')
  const newer = await begun(31, 'selfTest')
  await answers(31, newer, {})
  await tested(31, 'running', true)
  house.hub.publish({ reports: [{ ...reportOf(house.line(31), 'passed'), state: 'selfTest', first: true }] })
  await house.execution.tick()
  expect([(await ofId(lost)).state, (await ofId(newer)).state]).toEqual(['unknown', 'acknowledged'])
  await tested(31, 'passed', true)
  expect([(await ofId(lost)).state, (await ofId(newer)).state]).toEqual(['unknown', 'verified'])
})

test('a trip time told before a restart proves a self-test with the open position after it, and is worth nothing with a closed one', async () => {
  house = await build()
  const [sound, welded] = [await begun(24, 'selfTest'), await begun(25, 'selfTest')]
  for (const [lineNo, id] of [
    [24, sound],
    [25, welded],
  ] as const) {
    await answers(lineNo, id, { tripMs: 45 })
    expect(await ofId(id)).toEqual({ state: 'acknowledged', outcome: null })
  }
  now += 2_500
  await position(25, 'closed')
  await house.execution.close()
  now += 1_000
  house = await build()
  await position(24, 'open')
  expect(await ofId(sound)).toEqual({ state: 'verified', outcome: null })
  now += 10_000
  // It may have opened and been closed again while the server was away.
  await position(25, 'closed')
  await house.execution.tick()
  expect(await ofId(welded)).toEqual({ state: 'unknown', outcome: 'not_watched' })
})

test('an open position proves no self-test once the line was ordered to trip, also when that trip is over', async () => {
  house = await build()
  const id = await begun(28, 'selfTest')
  await answers(28, id, { tripMs: 45 })
  const trip = await begun(28, 'trip')
  now += 100
  await position(28, 'open')
  expect(await ofId(trip)).toEqual({ state: 'verified', outcome: null })
  now += 100
  await position(28, 'open')
  expect((await ofId(id)).state).toBe('acknowledged')
  await house.execution.close()
  now += 100
  house = await build()
  await position(28, 'open')
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'server_restarted' })
})

describe('of a self-test that told a trip time, and a line that is told closed only after the deadline', () => {
  const worthless = { state: 'unknown', outcome: 'not_watched' }
  const failed = { state: 'failed', outcome: 'not_done' }
  const disabled = () => Object.assign(house.line(29).device.gateway, { disabled: true })
  const unwatched: readonly (readonly [string, object, () => unknown])[] = [
    ['that was never out of sight', failed, () => {}],
    [
      'whose other line was born again',
      failed,
      () => house.hub.publish({ reports: [{ ...reportOf(house.line(30), 'closed'), first: true }] }),
    ],
    [
      'whose device was born again',
      worthless,
      () => house.hub.publish({ reports: [{ ...reportOf(house.line(29), 'closed'), first: true }] }),
    ],
    ['of which something was missed', worthless, () => house.hub.publish({ positionInvalidated: new Set([house.line(29)]) })],
    ['whose device was away', worthless, () => house.hub.publish({ positionInvalidated: new Set([house.line(29).device]) })],
    [
      'whose gateway was away',
      worthless,
      () => house.hub.publish({ positionInvalidated: new Set([house.line(29).device.gateway]) }),
    ],
    [
      'whose other line lost its valid position',
      failed,
      () => house.hub.publish({ positionInvalidated: new Set([house.line(30)]) }),
    ],
    ['whose gateway is disabled', worthless, () => house.hub.publish({ gateways: [disabled()] })],
    [
      'whose server restarted',
      worthless,
      async () => {
        await house.execution.close()
        house = await build()
      },
    ],
    // Opened when the test was over: not by the test, and closed again by whoever did.
    ['that was opened and closed again since', worthless, () => position(29, 'open')],
  ]

  test.each(unwatched)('%s', async (_, outcome, happens) => {
    house = await build()
    const id = await begun(29, 'selfTest')
    await position(29, 'closed')
    await answers(29, id, { tripMs: 45 })
    now += 12_000
    await house.execution.tick()
    await happens()
    now += 1_000
    await position(29, 'closed')
    await house.execution.tick()
    expect(await ofId(id)).toEqual(outcome)
    const unrecorded = (await unrecordedSelfTests(db.database)).map(({ commandId }) => commandId)
    expect(unrecorded.includes(id)).toBe(outcome === failed)
  })
})

test.each([
  ['has failed', false, { state: 'failed', outcome: 'not_done' }],
  ['is worth nothing when its device was born in between', true, { state: 'unknown', outcome: 'not_watched' }],
])('a self-test whose line is told closed a second after the deadline %s', async (_, born, outcome) => {
  house = await build()
  const lineNo = born ? 29 : 30
  const id = await begun(lineNo, 'selfTest')
  await answers(lineNo, id, { tripMs: 45 })
  now += 6_000
  house.hub.publish({ reports: [{ ...reportOf(house.line(lineNo), 'closed'), first: born }] })
  now += 5_000
  await house.execution.tick()
  await position(lineNo, 'closed')
  await house.execution.tick()
  expect(await ofId(id)).toEqual(outcome)
})

test('a trip time told after a restart proves it with the open position from before', async () => {
  house = await build()
  const id = await begun(26, 'selfTest')
  await position(26, 'open')
  await house.execution.close()
  house = await build()
  await answers(26, id, { tripMs: 45 })
  expect(await ofId(id)).toEqual({ state: 'verified', outcome: null })
})

test('a position that was told before the trip time, though both are heard at once, does not say that the line stayed closed', async () => {
  house = await build()
  const id = await begun(27, 'selfTest')
  const report = reportOf(house.line(27), 'closed')
  now += 100
  const { gateway } = house.line(27).device
  const result = { commandId: id, gateway, status: 'accepted', reason: null, tripMs: 45, receivedAt: now } as const
  house.hub.publish({ reports: [report], results: [result] })
  now += 20_000
  await house.execution.tick()
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'no_answer' })
})

test('asking what stands against an operation leaves what hangs on the line as it is', async () => {
  house = await build()
  const line = house.line(21)
  line.ownTags = [{ on: 'line', holder: 'zhang', reason: 'cable' } as PlantLine['ownTags'][number]]
  const asked = [
    await interlocks().permit(order(21, 'close', '').actor, line, 'close'),
    await interlocks().permitsOf(order(21, 'close', '').actor, [line], 'close'),
  ]
  expect(asked).toHaveLength(2)
  expect(line.ownTags).toHaveLength(1)
})

test('nothing but the outcome of an earlier self-test leaves it unknown, until there is one of its own', async () => {
  house = await build()
  const { device } = house.line(24)
  device.family = familyOf('detectorRs') ?? device.family
  const id = await begun(24, 'selfTest')
  await answers(24, id, {})
  now += 20_000
  await tested(24, 'passed', false)
  await tested(24, 'running', true)
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'no_answer' })
  await tested(24, 'passed', true)
  expect(await ofId(id)).toMatchObject({ state: 'verified' })
})

test('the ten seconds between operations count from the sending, also of a trip that moved nothing', async () => {
  house = await build()
  await begun(20, 'trip')
  ready(20, 'close')
  const line = house.line(20)
  const gap = (at: number) =>
    closeConditions(factsOf(line, { reach: 'yes', quietUntil: null }), { mayOperate: true, shared: false }, at).find(
      ({ key }) => key === 'gap',
    )
  expect(gap(now + 9_999)).toMatchObject({ met: false, until: now + 10_000 })
  expect(gap(now + 10_000)).toMatchObject({ met: true })
})

test('a self-test that is recorded twice is one record and one entry of the log', async () => {
  house = await build()
  const commandId = await begun(19, 'selfTest')
  const test = {
    commandId,
    lineId: house.line(19).id,
    at: now,
    actor: 'a',
    result: 'passed',
    tripMs: 45,
    limitMs: 300,
    residualMa: 300,
    model: '3P',
  } as const
  const entry = {
    at: now,
    actor: 'a',
    address: '',
    action: 'selfTest.result',
    subject: aboutNothing,
    target: 'D/19',
    outcome: 'passed',
  } as const
  for (let times = 0; times < 2; times++) await insertSelfTest(db.database, test, { ...entry, after: { commandId } })
  const { rows } = await sql`select from audit where action = 'selfTest.result' and after ->> 'commandId' = ${commandId}`.execute(
    db.database.general,
  )
  expect(rows).toHaveLength(1)
  expect(await selfTestsOf(db.database, house.line(19).id, 9)).toHaveLength(1)
})
