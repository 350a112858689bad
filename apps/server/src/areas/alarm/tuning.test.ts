import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { TestEdge } from '../../field/test-ingest.ts'
import { TestIngest } from '../../field/test-ingest.ts'
import { newWatch } from '../../field/watch/line-watch.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { newLine } from '../../plant/plant.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { createSeenEvents } from './seen-events.ts'
import { createTunedLines } from './tuned-lines.ts'
import { createTuning } from './tuning.ts'

// Reported by a gateway, evaluated and stored by ingest; tuned by what stands in PostgreSQL then. No loop runs.
let plant: TestIngest
let edge: TestEdge
const open: { close(): Promise<void> }[] = []

const actorOf = (of: Partial<Actor>) =>
  ({
    ...{ userName: 'anna', address: '', shared: false, sees: () => true, seesGateway: () => true },
    ...{ scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null } },
    ...of,
  }) as unknown as Actor
const anna = actorOf({})

/** What one server has: of that which receives the readings, or of another one. */
function serverOf(own: Plant, retune: (lines: readonly PlantLine[]) => void = (lines) => plant.ingest.retune(lines)) {
  const { database } = plant
  const deps = { database, plant: own, log: pino({ level: 'silent' }), clock: () => plant.now, ingest: { retune } }
  const tunedLines = createTunedLines(deps)
  open.push(tunedLines)
  return { ...createTuning(deps, createSeenEvents(deps), tunedLines), read: tunedLines.read }
}

beforeEach(async () => {
  plant = await TestIngest.start()
  await begin()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await plant.close()
})

async function begin(): Promise<void> {
  edge = await plant.edge()
  await edge.birth()
}

/** The line reports these volts of phase A each second from now on. */
async function reports(volts: readonly number[]): Promise<void> {
  for (const value of volts) {
    await edge.data({ values: { 'voltage.a': value } })
    plant.now += 1_000
  }
}
const times = (count: number, ...values: number[]) => Array.from({ length: count }, () => values).flat()
/** Over 265 V for two seconds, then back for seven: raised after one, returned after five. Then quiet. */
const chatters = () => reports([...times(6, 270, 270, ...times(7, 230)), ...times(30, 230)])

async function raises(): Promise<number> {
  const [row] = await plant.rows<{ count: number }>(
    "select count(*)::int as count from event_transition join event using (event_id) where key = 'voltage.over' and act = 'raise'",
  )
  return row?.count ?? 0
}
/** How often the alarm is raised by the same values. */
async function raisedByChatter(): Promise<number> {
  const before = await raises()
  await chatters()
  return (await raises()) - before
}
async function eventId(key = 'voltage.over'): Promise<string> {
  const [row] = await plant.rows<{ event_id: string }>(`select event_id from event where key = '${key}' order by event_id desc`)
  return row?.event_id ?? '0'
}
const offDelay = (own: Plant) => {
  const line = own.lineAt('C-G1', 1)
  return (
    line &&
    newWatch(line).limits.find(({ alarm, point }) => alarm.key === 'voltage.over' && point === 'voltage.a')?.alarm.offDelayMs
  )
}

const shipped = { OnDelayMs: 1_000, OffDelayMs: 5_000, DeadBandShare: 0.02 }
const tenSeconds = { ...shipped, OffDelayMs: 10_000 }
const refusal = (key: string) => expect.objectContaining({ key })

test('six raises are offered to be one, are one from then on, still after a restart, and six again when it is taken back', async () => {
  expect(await raisedByChatter()).toBe(6)
  const [id, first] = [await eventId(), serverOf(plant.plant)]
  const stored = await plant.rows('select * from event_transition order by step_id')
  expect(await first.tuning(anna, id)).toMatchObject({ NotTunable: null, Shipped: shipped, InForce: shipped, Version: 0 })
  const offer = await first.tuningOffer(anna, id)
  expect(offer).toMatchObject({
    None: null,
    Offer: {
      ...{ Changes: 'OffDelayMs', Timing: tenSeconds },
      Proof: { Before: 6, After: 1, LongestDelayMs: 0, LongestMissedMs: 0 },
    },
  })
  const tuned = await first.tune(anna, id, { Version: 0, Timing: tenSeconds, Reason: ' 抖动 ' })
  expect(tuned).toMatchObject({ InForce: tenSeconds, Shipped: shipped, IsTuned: true, Version: 1, ChangedBy: 'anna' })
  expect(await plant.rows('select * from event_transition order by step_id')).toEqual(stored)
  expect(await raisedByChatter()).toBe(1)

  await plant.restart()
  await begin()
  expect(await raisedByChatter()).toBe(1)

  const again = serverOf(plant.plant)
  await again.untune(anna, id, { Version: 1, Reason: '误调' })
  expect(await raisedByChatter()).toBe(6)
  const { items, total } = await again.tuningChanges(anna, id, {})
  expect(total).toBe(2)
  expect(items).toMatchObject([
    { Version: 2, By: 'anna', Reason: '误调', Restored: true, Before: tenSeconds, After: shipped, Proof: null },
    { Version: 1, Reason: '抖动', Restored: false, Before: shipped, After: tenSeconds, Proof: { Before: 6, After: 1 } },
  ])
  const log = await plant.rows<{ action: string; subject_id: string }>(
    "select action, subject_id from audit where action like 'tuning.%' order by audit_id",
  )
  expect(log).toEqual(['tuning.edit', 'tuning.restore'].map((action) => ({ action, subject_id: id })))
})

test('another server evaluates so as soon as it looks, and nobody writes over what it did not see', async () => {
  await chatters()
  const [id, first] = [await eventId(), serverOf(plant.plant)]
  const own = await loadPlant(plant.database)
  const retuned: string[] = []
  const other = serverOf(own, (lines) => retuned.push(...lines.map(({ device }) => device.controllerId)))
  await other.read()
  expect([offDelay(own), retuned]).toEqual([5_000, []])
  await first.tune(anna, id, { Version: 0, Timing: tenSeconds, Reason: 'x' })
  await other.read()
  expect([offDelay(own), retuned]).toEqual([10_000, ['C-G1']])
  await expect(other.tune(anna, id, { Version: 0, Timing: tenSeconds, Reason: 'x' })).rejects.toEqual(
    refusal('changed meanwhile'),
  )
  await other.untune(anna, id, { Version: 1, Reason: 'x' })
  expect([offDelay(own), offDelay(plant.plant)]).toEqual([5_000, 10_000])
  await first.read()
  expect(offDelay(plant.plant)).toBe(5_000)
  await expect(first.untune(anna, id, { Version: 2, Reason: 'x' })).rejects.toEqual(refusal('not tuned'))
})

test('a line that comes later comes as it was tuned', async () => {
  await chatters()
  await serverOf(plant.plant).tune(anna, await eventId(), { Version: 0, Timing: tenSeconds, Reason: 'x' })
  const own = await loadPlant(plant.database)
  const line = own.lineAt('C-G1', 1)
  if (!line) throw new Error('C-G1 is not in the database')
  const again = newLine(line.id, line.device, 1, line.name, line.ratedCurrentA)
  expect(again.tunings.size).toBe(0)
  own.addLine(again)
  expect(offDelay(own)).toBe(10_000)
})

test('two who apply at the same moment: one is told', async () => {
  await chatters()
  const id = await eventId()
  const servers = [serverOf(plant.plant), serverOf(await loadPlant(plant.database), () => {})]
  const asked = servers.map((each) => each.tune(anna, id, { Version: 0, Timing: tenSeconds, Reason: 'x' }))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { key: 'changed meanwhile' } })
})

test('what its readings do not bear out is not applied, nor by whom it is no business, nor to what is never tuned', async () => {
  await chatters()
  await edge.data({ states: { position: 0, 'trip.cause': 1 } })
  const [id, trip, server] = [await eventId(), await eventId('trip.leakage'), serverOf(plant.plant)]
  const body = { Version: 0, Timing: tenSeconds, Reason: 'x' }
  for (const Timing of [
    { ...shipped, OnDelayMs: 60_000 },
    { ...shipped, OffDelayMs: 9_999 },
    { ...tenSeconds, DeadBandShare: 0.2 },
    shipped,
  ])
    await expect(server.tune(anna, id, { ...body, Timing })).rejects.toEqual(refusal('tuning not proven'))
  const guest = actorOf({ sees: () => false })
  expect(await server.tuning(guest, id)).toMatchObject({ InForce: shipped })
  await expect(server.tune(guest, id, body)).rejects.toEqual(refusal('access denied'))
  await expect(server.tune(actorOf({ shared: true }), id, body)).rejects.toEqual(refusal('access denied'))
  const stranger = actorOf({ sees: () => false, seesGateway: () => false })
  await expect(server.tuning(stranger, id)).rejects.toEqual(refusal('event not exists'))
  expect(await server.tuning(anna, trip)).toMatchObject({ NotTunable: 'notTunable', InForce: null })
  await expect(server.tuningOffer(anna, trip)).rejects.toEqual(refusal('tuning not allowed'))
  await expect(server.tune(anna, trip, body)).rejects.toEqual(refusal('tuning not allowed'))
  expect(await plant.rows('select from alarm_tuning')).toEqual([])
  expect(await raisedByChatter()).toBe(6)
})

test('readings older than 30 days count for nothing', async () => {
  await chatters()
  const [id, server] = [await eventId(), serverOf(plant.plant)]
  plant.now += 31 * 86_400_000
  expect(await server.tuningOffer(anna, id)).toMatchObject({ None: 'noReadings', Offer: null, Readings: 0 })
})

test('beyond its bounds nothing is in force, whatever somebody wrote into the table', async () => {
  await chatters()
  const [id, server] = [await eventId(), serverOf(plant.plant)]
  await server.tune(anna, id, { Version: 0, Timing: tenSeconds, Reason: 'x' })
  await plant.rows('update alarm_tuning set on_delay_ms = 600000, off_delay_ms = 600000, dead_band_share = 1, version = 2')
  await server.read()
  expect(await server.tuning(anna, id)).toMatchObject({
    InForce: { OnDelayMs: 6_000, OffDelayMs: 300_000, DeadBandShare: 0.2 },
  })
  await reports(times(8, 270))
  expect(await plant.alarms()).toContain('voltage.over active')
})
