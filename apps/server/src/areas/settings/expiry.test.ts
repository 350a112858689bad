import { aboutNothing } from '@linewarden/contract'
import { reportingInterval } from '@linewarden/rules/settings'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { OutgoingCommand } from '../../field/orders/outgoing.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import type { NewChange } from '../../store/settings/setting-authorisation.ts'
import { authoriseChanges } from '../../store/settings/setting-authorisation.ts'
import { changesById } from '../../store/settings/setting-change.ts'
import { createSettings } from './service.ts'

// Protections that are to come back, and orders that were stored and never begun: what outages of the server must not lose.
let db: TestDatabase
let now = Date.now()
let house: Awaited<ReturnType<typeof build>>
const actor = { userName: 'a', address: '', shared: false, hasControlPassword: false } as Actor
const audit = () => [
  {
    at: now,
    actor: 'a',
    address: '',
    action: 'setting.console',
    subject: aboutNothing,
    target: '',
    outcome: 'authorised',
  } as const,
]

// No look of its own comes between two steps of a test: each tick is the test's.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterAll(() => void vi.useRealTimers())
beforeAll(async () => {
  db = await testDatabase()
  await sql`with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', 'x' from p returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3P' from g returning device_id)
    insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 21) no`.execute(
    db.database.general,
  )
})
afterAll(() => db?.drop())
afterEach(() => house?.settings.close())

/** A server that has just started. `reach` answers, in turn, whether the gateway is connected; the last answer stays. */
async function build() {
  const plant = await loadPlant(db.database)
  const wire: OutgoingCommand[] = []
  const notes: EventDraft[] = []
  const reach = { answers: [true] }
  /** Happens while an order's control password is checked: the order is validated, and not stored. */
  const meanwhile = { do: async () => {} }
  /** Happens while an order is handed to the wire. */
  const handing = { do: () => {} }
  const hub = new Hub((error) => console.error(error))
  const settings = await createSettings({
    database: db.database,
    plant,
    hub,
    ingest: {
      reach: () => ((reach.answers.length > 1 ? reach.answers.shift() : reach.answers[0]) ? 'yes' : 'not_connected'),
      send(command) {
        wire.push(command)
        handing.do()
        return 'sent'
      },
      sendInterval: () => 'no_session',
      note: (event) => void notes.push(event),
    },
    grants: {
      take: async () => {
        await meanwhile.do()
        return true
      },
    },
    clock: () => now,
    log: { error: console.error, warn() {} } as unknown as Logger,
  })
  const line = (lineNo: number): PlantLine => {
    const found = plant.lineAt('D', lineNo)
    if (!found) throw new Error(`no line ${lineNo}`)
    found.device.gateway.link = 'online'
    return found
  }
  return {
    settings,
    hub,
    line,
    wire,
    reach,
    meanwhile,
    handing,
    raised: (lineNo: number) => notes.filter((note) => note.act === 'raise' && note.line?.lineNo === lineNo).length,
  }
}

const change = (lineNo: number): NewChange => ({
  commandId: crypto.randomUUID(),
  batchId: crypto.randomUUID(),
  gatewayId: house.line(lineNo).device.gateway.id,
  lineId: house.line(lineNo).id,
  wanted: { 'leakage.trip': 500 },
  former: { 'leakage.trip': 500 },
  accountId: null,
  actor: 'a',
  source: 'console',
  reason: 'test',
  template: null,
  undoes: null,
  offUntil: null,
  issuedAt: now,
  deadline: now + 10_000,
  bypasses: [],
  validatedBy: [],
  restores: [],
})
/** A protection that is off and was to come back at `until`. */
async function off(lineNo: number, until: number): Promise<void> {
  const order = { ...change(lineNo), offUntil: until, bypasses: [{ key: 'leakage.trip', former: 100 }] }
  await authoriseChanges(db.database, [order], audit)
  await sql`update setting_change set state = 'verified' where command_id = ${order.commandId}::uuid`.execute(db.database.general)
  await sql`update setting_off set state = 'standing' where command_id = ${order.commandId}::uuid`.execute(db.database.general)
}
const stateOf = async (lineNo: number) => {
  const { rows } = await sql<{ state: string }>`select state from setting_off where line_id = ${house.line(lineNo).id}`.execute(
    db.database.general,
  )
  return rows[0]?.state
}
const restores = (lineNo: number) => house.wire.filter((each) => each.lineNo === lineNo)

test('a protection that was due while the server was away is waited for as long as any other', async () => {
  house = await build()
  await off(1, now - 600_000)
  const { gateway } = house.line(1).device
  gateway.link = 'stale'
  now += 59_000
  await house.settings.tick()
  expect([await stateOf(1), house.raised(1)]).toEqual(['standing', 0])
  gateway.link = 'online'
  await house.settings.tick()
  expect(restores(1)).toMatchObject([{ action: 'set', settings: { 'leakage.trip': 100 } }])
  expect(await stateOf(1)).toBe('restoring')
})

test('and then it is an alarm', async () => {
  house = await build()
  await off(2, now - 600_000)
  house.line(2).device.gateway.link = 'stale'
  now += 60_000
  await house.settings.tick()
  expect([await stateOf(2), house.raised(2)]).toEqual(['failed', 1])
})

test('an order to restore that never left is given again, and is no alarm', async () => {
  house = await build()
  await off(3, now - 1)
  house.line(3)
  // Connected when it is validated, twice, and gone when it is to leave.
  house.reach.answers = [true, true, false]
  await house.settings.tick()
  expect([await stateOf(3), house.raised(3), restores(3).length]).toEqual(['standing', 0, 0])
  house.reach.answers = [true]
  await house.settings.tick()
  expect(restores(3)).toHaveLength(1)
  expect([await stateOf(3), house.raised(3)]).toEqual(['restoring', 0])
})

test('unless it never leaves for a minute', async () => {
  house = await build()
  await off(4, now - 1)
  house.line(4)
  house.reach.answers = [true, true, false]
  await house.settings.tick()
  now += 60_000
  house.reach.answers = [true]
  await house.settings.tick()
  expect([await stateOf(4), house.raised(4), restores(4).length]).toEqual(['failed', 1, 0])
})

test('pressed again after the answer to its COMMIT was lost, a setting leaves, once', async () => {
  house = await build()
  reporting(5, 500)
  const order = change(5)
  await authoriseChanges(db.database, [order], audit)
  const again = () =>
    house.settings.placing.setLine(actor, house.line(5), [{ Key: 'leakage.trip', Value: 500 }], {
      CommandID: order.commandId,
      Reason: 'test',
    })
  expect(await again()).toMatchObject({ State: 'sent' })
  await again()
  expect(restores(5)).toHaveLength(1)
})

test('a setting that nobody carries is over some seconds after its deadline', async () => {
  house = await build()
  const order = change(6)
  await authoriseChanges(db.database, [order], audit)
  now += 20_000
  await house.settings.tick()
  expect((await changesById(db.database, [order.commandId]))[0]?.state).toBe('authorised')
  now += 1
  await house.settings.tick()
  expect((await changesById(db.database, [order.commandId]))[0]).toMatchObject({ state: 'expired', outcome: 'deadline_passed' })
})

/** A line that reports, and whose trip level is this. */
function reporting(lineNo: number, tripMa: number): PlantLine {
  const line = house.line(lineNo)
  Object.assign(line, { liveAt: now, liveReceivedAt: now })
  line.states.set('lock.local', 'off')
  line.reported.set('leakage.trip', tripMa)
  return line
}

test('an order validated before a protection was bypassed does not remove its expiry', async () => {
  house = await build()
  const until = now + 3_600_000
  house.meanwhile.do = () => off(7, until)
  // What the other order set is reported already, so that this one seems to bypass nothing.
  const line = reporting(7, 500)
  const proven = { ...actor, sessionId: 's', hasControlPassword: true } as Actor
  const order = house.settings.placing.setLine(proven, line, [{ Key: 'leakage.trip', Value: 500 }], {
    CommandID: crypto.randomUUID(),
    Reason: 'test',
    Grant: 'g',
  })
  await expect(order).rejects.toMatchObject({ key: 'reason and expiry missing' })
  // Nor one that was validated twice, and bypassed by another between that and its being stored.
  const late = change(7)
  const { saved, stopped } = await authoriseChanges(db.database, [late], audit)
  expect([saved, stopped.get(late.commandId)]).toEqual([[], { is: 'busy' }])
  expect([restores(7).length, await stateOf(7)]).toEqual([0, 'standing'])
})

test('known to be off, it is set by whoever says when it comes back', async () => {
  house = await build()
  await off(8, now + 3_600_000)
  const line = reporting(8, 500)
  const order = (CommandID: string, more: object) =>
    house.settings.placing.setLine(actor, line, [{ Key: 'leakage.trip', Value: 500 }], { CommandID, Reason: 'test', ...more })
  await expect(order(crypto.randomUUID(), {})).rejects.toMatchObject({ key: 'reason and expiry missing' })
  expect(await order(crypto.randomUUID(), { OffUntil: now + 7_200_000 })).toMatchObject({ State: 'sent' })
})

const asksFor500 = (lineNo: number) =>
  house.settings.placing.setLine(
    { ...actor, sessionId: 's', hasControlPassword: true } as Actor,
    house.line(lineNo),
    [{ Key: 'leakage.trip', Value: 500 }],
    { CommandID: crypto.randomUUID(), Reason: 'test', Grant: 'g' },
  )

test('what is set to protect while an order proves who gave it is not bypassed by it for good', async () => {
  house = await build()
  const line = reporting(9, 500)
  house.meanwhile.do = async () => void line.reported.set('leakage.trip', 30)
  await expect(asksFor500(9)).rejects.toMatchObject({ key: 'reason and expiry missing' })
  expect(restores(9)).toEqual([])
})

/** An order that is stored and not begun, and the last look at it before it would leave. */
async function lastLook(lineNo: number, order: Partial<NewChange>) {
  const stored = { ...change(lineNo), ...order }
  await authoriseChanges(db.database, [stored], audit)
  const Settings = Object.entries(stored.wanted).map(([Key, Value]) => ({ Key, Value }))
  return house.settings.placing.setLine(actor, house.line(lineNo), Settings, { CommandID: stored.commandId, Reason: 'test' })
}
const notSent = { State: 'expired', Outcome: 'protects_by_now' }

test('nor when it is set to protect after the order was stored', async () => {
  house = await build()
  reporting(10, 30)
  expect(await lastLook(10, {})).toMatchObject(notSent)
  expect(restores(10)).toEqual([])
})

test('an expiry counts for the protections that are to come back at it, and for no other of the same order', async () => {
  house = await build()
  const until = now + 3_600_000
  const wanted = { 'leakage.trip': 500, 'overvoltage.trip': 300 }
  reporting(11, 30).reported.set('overvoltage.trip', 260)
  const another = { wanted, offUntil: until, bypasses: [{ key: 'overvoltage.trip', former: 260 }] }
  expect(await lastLook(11, { ...another, former: { 'leakage.trip': 500, 'overvoltage.trip': 260 } })).toMatchObject(notSent)
  reporting(12, 30)
  const own = { offUntil: until, former: { 'leakage.trip': 30 }, bypasses: [{ key: 'leakage.trip', former: 30 }] }
  expect(await lastLook(12, own)).toMatchObject({ State: 'sent' })
  expect([restores(11).length, restores(12).length]).toEqual([0, 1])
})

test('what stood weak and still does is set again', async () => {
  house = await build()
  reporting(13, 500)
  expect(await asksFor500(13)).toMatchObject({ State: 'sent' })
})

test('what an order with an unknown outcome may have set to protect is not known to stand weak', async () => {
  house = await build()
  const line = reporting(14, 500)
  const order = { CommandID: crypto.randomUUID(), Reason: 'test' }
  await house.settings.placing.setLine(actor, line, [{ Key: 'leakage.trip', Value: 30 }], order)
  now += 20_000
  await house.settings.tick()
  expect((await changesById(db.database, [order.CommandID]))[0]?.state).toBe('unknown')
  Object.assign(line, { liveAt: now, liveReceivedAt: now })
  await expect(asksFor500(14)).rejects.toMatchObject({ key: 'reason and expiry missing' })
  expect(restores(14)).toMatchObject([{ settings: { 'leakage.trip': 30 } }])
})

test('a change is not taken back over what another set while its order proves who gave it', async () => {
  house = await build()
  const line = reporting(15, 120)
  const done = { ...change(15), wanted: { 'leakage.trip': 120 }, former: { 'leakage.trip': 300 } }
  await authoriseChanges(db.database, [done], audit)
  await sql`update setting_change set state = 'verified' where command_id = ${done.commandId}::uuid`.execute(db.database.general)
  house.meanwhile.do = async () => void line.reported.set('leakage.trip', 30)
  const proven = { ...actor, sessionId: 's', hasControlPassword: true, seesGateway: (_: unknown) => true } as Actor
  const undo = () =>
    house.settings.placing.undo(proven, done.commandId, [], { CommandID: crypto.randomUUID(), Reason: 'test', Grant: 'g' })
  await expect(undo()).rejects.toMatchObject({ key: 'changed meanwhile' })
  expect(restores(15)).toEqual([])
  house.meanwhile.do = async () => {}
  line.reported.set('leakage.trip', 120)
  expect(await undo()).toMatchObject({ State: 'sent', Undoes: done.commandId })
})

test('a protection that cannot be restored keeps back no other, whatever was said when that was bypassed', async () => {
  house = await build()
  for (const lineNo of [17, 18, 19]) await off(lineNo, now)
  await sql`update setting_change set reason = ${`${'x'.repeat(199)}😀`} where line_id = ${house.line(18).id}`.execute(
    db.database.general,
  )
  const refused = [17, 19].map((lineNo) => house.line(lineNo).id).join(', ')
  const constrain = (how: string) => sql.raw(`alter table setting_change ${how}`).execute(db.database.general)
  await constrain(`add constraint refused check (source <> 'expiry' or line_id not in (${refused}))`)
  await house.settings.tick()
  await constrain('drop constraint refused')
  expect([await stateOf(18), restores(18).length]).toEqual(['restoring', 1])
  await house.settings.tick()
  expect([restores(17).length, restores(19).length]).toEqual([1, 1])
})

test('an interval does not leave once somebody stands before a line of the gateway, or works at one', async () => {
  house = await build()
  const line = house.line(16)
  const { gateway } = line.device
  const interlocks = {
    inspection: { inspectionUntil: now + 1 },
    tagged: { ownTags: [{ id: '1', on: 'line' } as PlantLine['ownTags'][number]] },
  }
  const interval = (CommandID: string) => house.settings.placing.setInterval(actor, gateway, 5, { CommandID, Reason: 'test' })
  for (const [outcome, applied] of Object.entries(interlocks)) {
    Object.assign(line, applied)
    await expect(interval(crypto.randomUUID())).rejects.toMatchObject({ key: 'operation not permitted' })
    const stored = { ...change(16), lineId: null, wanted: { [reportingInterval.key]: 5 }, former: {} }
    await authoriseChanges(db.database, [stored], audit)
    expect(await interval(stored.commandId)).toMatchObject({ State: 'expired', Outcome: outcome })
    Object.assign(line, { inspectionUntil: null, ownTags: [] })
  }
})

test('a tag that is hung while a batch leaves stays, whatever another line of the batch was blocked by', async () => {
  house = await build()
  const { gateway } = reporting(20, 500).device
  reporting(21, 500)
  const { id } = house.line(21)
  await sql`insert into tag (tag_id, line_id, kind, holder, reason, placed_at)
    values (gen_random_uuid(), ${id}, 'tag', 'zhang', 'cable', now())`.execute(db.database.general)
  const hung = { id: '1', on: 'gateway', holder: 'li', reason: 'cabinet', placedAt: 0 } as PlantLine['ownTags'][number]
  house.handing.do = () => {
    gateway.ownTags = [hung]
  }
  const targets = [20, 21].map((LineNo) => ({ ControllerID: 'D', LineNo }))
  const scope = { ...actor, seesGateway: (_: unknown) => true } as Actor
  const why = { BatchID: crypto.randomUUID(), Reason: 'test' }
  const { items } = await house.settings.placing.setLines(scope, targets, [{ Key: 'leakage.trip', Value: 400 }], null, why)
  expect(items.map(({ Change, Refused }) => Refused?.Message ?? Change?.State)).toEqual(['sent', 'operation not permitted'])
  expect(gateway.ownTags).toEqual([hung])
  expect(house.line(21).ownTags).toMatchObject([{ holder: 'zhang' }])
})
