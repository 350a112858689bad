import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTER_SLOT, dayMs, familyOf, hourMs, SLOTS } from '@linewarden/equipment'
import type { Server } from '@linewarden/server/compose'
import { Nightly } from '@linewarden/server/nightly'
import { loadPlantUnmeasured } from '@linewarden/server/plant'
import type {
  ChannelPast,
  Fleet,
  GatewayPlan,
  LineBeginning,
  Past,
  PastFact,
  PlantClock,
  ProjectPlan,
  TripCause,
} from '@linewarden/simulator'
import { livePast, seededRandom, tenVoltsPerHour } from '@linewarden/simulator'
import type pg from 'pg'
import { pino } from 'pino'
import { makeEnergy } from '../../apps/server/src/areas/energy/jobs.ts'
import { DeviceRegistry } from '../../apps/server/src/field/intake/device-registry.ts'
import type { PlantGateway, PlantLine } from '../../apps/server/src/plant/plant.ts'
import { accountByName } from '../../apps/server/src/store/account/account.ts'
import type { RegistersBroughtIn } from '../../apps/server/src/store/energy/bring-in.ts'
import { bringInQuarters } from '../../apps/server/src/store/energy/bring-in.ts'
import type { HoursBroughtIn } from '../../apps/server/src/store/history/bring-in.ts'
import { bringInHours, bringInReadings } from '../../apps/server/src/store/history/bring-in.ts'
import { rollUpDaysDue } from '../../apps/server/src/store/history/rollup-day.ts'
import { takeBack } from '../../apps/server/src/store/history/take-back.ts'
import { Batch, rowsPerBatch } from '../../apps/server/src/store/ingest/batch.ts'
import { keepEvaluating } from '../../apps/server/src/store/warning/due-day.ts'
import type { VoltagesBroughtIn } from '../../apps/server/src/store/warning/voltage-hour.ts'
import { bringInVoltages } from '../../apps/server/src/store/warning/voltage-hour.ts'
import { addCosts } from './demo-cost.ts'
import { addLinkages } from './demo-linkages.ts'
import { addTimers, addTimersOfNow, nightTimers } from './demo-timers.ts'
import { addTopology } from './demo-topology.ts'
import { PastEvents } from './past-events.ts'
import { peopleOf } from './past-people.ts'
import type { Person } from './past-records.ts'
import { PastOrders } from './past-records.ts'
import { addPastRounds } from './past-rounds.ts'
import { earliestOf, failedOrders, lightsOff, nightsOf, pastOf, timedReasons } from './past-story.ts'
import { addPastWork, startDemoHealthCheck } from './past-work.ts'

const seed = 20_261_124

const gatewaysOf = ({ plant }: Pick<Server, 'plant'>, plan: readonly ProjectPlan[]): PlantGateway[] =>
  plan.flatMap(({ gateways }) => gateways.flatMap(({ number }) => plant.gatewayByNumber.get(number) ?? []))

/** Since when the demo's past was written, Unix ms; null: it has none. */
export const pastWrittenAt = (server: Pick<Server, 'plant'>, plan: readonly ProjectPlan[]): number | null =>
  gatewaysOf(server, plan).find(({ project }) => project.simulatedSince !== undefined)?.project.simulatedSince ?? null

/** The plan as the plant was last known, so that a fleet that starts again goes on where it was. */
export function goingOn({ plant }: Pick<Server, 'plant'>, gateways: readonly GatewayPlan[]): GatewayPlan[] {
  const counted = (controllerId: string, lineNo: number) => {
    const energyKwh = plant.lineAt(controllerId, lineNo)?.values[COUNTER_SLOT] ?? Number.NaN
    return Number.isNaN(energyKwh) ? {} : { energyKwh }
  }
  return gateways.map((gateway) => ({
    ...gateway,
    devices: gateway.devices.map((device) => ({
      ...device,
      begins: counted(device.controllerId, 0),
      lines: device.lines.map((line) => ({
        ...line,
        begins: { ...left(plant.lineAt(device.controllerId, line.lineNo)), ...counted(device.controllerId, line.lineNo) },
      })),
    })),
  }))
}

/** How a line was left. */
function left(line: PlantLine | null): LineBeginning {
  if (!line) return {}
  const [position, cause, lock, test] = ['position', 'trip.cause', 'lock.local', 'selfTest'].map((key) => line.states.get(key))
  return {
    ...((position === 'open' || position === 'closed') && { position }),
    ...(cause !== undefined && { tripCause: cause as TripCause }),
    ...(lock !== undefined && { localLock: lock === 'on' }),
    ...((test === 'notDone' || test === 'passed' || test === 'failed') && { selfTest: test }),
    settings: Object.fromEntries(line.reported),
  }
}

/** Registers every device of the plan as its gateway will bring it, so that its past has lines to stand with. */
export async function registerDevices({ database, plant }: Server, gateways: readonly GatewayPlan[]): Promise<void> {
  const registry = new DeviceRegistry(database, plant)
  for (const { number, devices } of gateways) {
    const gateway = plant.gatewayByNumber.get(number)
    if (!gateway) throw new Error(`gateway ${number} is not enrolled`)
    for (const { controllerId, family: key, model, name, lines, circuit } of devices) {
      const family = familyOf(key)
      if (!family) throw new Error(`there is no family ${key}`)
      const own = [{ lineNo: 0, name: null, ratedCurrentA: circuit?.ratedCurrentA ?? null }]
      const birth = { wireId: controllerId, family, model, name, firmware: null, reportingPeriodMs: null }
      await registry.register(gateway, { ...birth, lines: family.level === 'device' ? own : lines })
    }
  }
}

const markOf = ({ dataDir }: Pick<Server, 'dataDir'>) => join(dataDir, 'demo-past-unfinished')

/** Whether a start that began to write the past did not come to its end. */
export const isPastUnfinished = (server: Pick<Server, 'dataDir'>): boolean => existsSync(markOf(server))

/** From here on the past is being written: whoever is ended before it is whole leaves the mark. */
export const beginPast = (server: Pick<Server, 'dataDir'>): void => writeFileSync(markOf(server), '')

const endPast = (server: Pick<Server, 'dataDir'>): void => rmSync(markOf(server), { force: true })

/**
 * What an earlier start wrote of the past before it was ended goes: its fleet was never connected, so that all of it was written. False: some
 * of it was connected since, by a server that knew nothing of the mark, and all stays as it is.
 */
export async function takeBackPast(server: Server, plan: readonly ProjectPlan[]): Promise<boolean> {
  const { database, plant } = server
  const gateways = gatewaysOf({ plant }, plan)
  const devices = gateways.flatMap((gateway) => [...gateway.devices.values()])
  const lines = devices.flatMap((device) => [...device.lines.values()])
  const client = await database.connect()
  try {
    const gatewayIds = gateways.map(({ id }) => id)
    if (!(await takeBack(client, { lineIds: lines.map(({ id }) => id), gatewayIds }))) {
      endPast(server)
      return false
    }
  } finally {
    await client.end()
  }
  for (const device of devices) device.openEvents.clear()
  for (const line of lines) line.alarms.clear()
  return true
}

/** What the demo has of its past, and how long that took. */
export interface SeededPast {
  readonly days: number
  readonly hours: number
  readonly readings: number
  readonly events: number
  readonly seconds: number
}

const firstEnergyMs = 4_000

/**
 * Lets the fleet go through the weeks before now, and writes what it reported and what people did through the store's own functions. The
 * fleet is then as its past left it.
 */
export async function seedPast(
  server: Server,
  { plan, fleet, clock, until }: { plan: readonly ProjectPlan[]; fleet: Fleet; clock: PlantClock; until: number },
): Promise<SeededPast> {
  const started = performance.now()
  const stories = pastOf(plan, until)
  const [client, second] = [await server.database.connect(), await server.database.connect()]
  const resume = await server.alarm.due.pause()
  try {
    for (const each of [client, second]) await each.query('set synchronous_commit = off')
    // What is found was found on the day it showed: no look of the present comes before those of the past.
    await keepEvaluating(client)
    const lineOf = (place: Pick<ChannelPast, 'controllerId' | 'lineNo'>) => {
      const line = server.plant.lineAt(place.controllerId, place.lineNo)
      if (!line) throw new Error(`the demo has no line ${place.controllerId}/${place.lineNo}`)
      return line
    }
    // What a gateway reported is written while the next one goes through its past.
    const [ofHours, ofReadings] = [new Written(), new Written()]
    const past = await livePast(fleet, clock, {
      ...{ stories, until, seed },
      onLived: (channels) => {
        const ofEach = <T>(made: (channel: ChannelPast, line: PlantLine) => T) =>
          channels.map((channel) => made(channel, lineOf(channel)))
        ofReadings.after(() => bringInReadings(second, batchesOf(channels, lineOf)))
        ofHours.after(async () => {
          const hours = await bringInHours(
            client,
            ofEach((channel, line) => hoursOf(channel, line, until)),
          )
          const voltages = ofEach((channel, line) => voltagesOf(channel, line, until))
          await bringInVoltages(client, voltages, until)
          await bringInQuarters(client, ofEach(registersOf), until)
          return hours
        })
      },
    })
    const [hours, readings] = await Promise.all([ofHours.all, ofReadings.all])
    const [events] = await Promise.all([
      writeRecords(server, past, { client, plan, fleet, until, stories }),
      rollUpDaysDue(second, new Date(until)),
    ])
    await readBack(server)
    // Writing took a while, in which the plant went on.
    const since = new Map([...stories.keys()].map((number) => [number, { from: until, steps: [] }]))
    const { channels } = await livePast(fleet, clock, { stories: since, until: Date.now(), seed })
    await bringInReadings(client, batchesOf(channels, lineOf))
    for (const project of new Set(gatewaysOf(server, plan).map((gateway) => gateway.project)))
      await server.site.markSimulated(project.id, until)
    const person = await personOf(server)
    await addTimersOfNow(server, person, Date.now())
    await addPeoplesWork(server, plan, person)
    await addCostsOf(server, plan, person, stories)
    // The last days, so that the pages of energy show something; the job goes on with those before them.
    if ((await makeEnergy(server.database, client, Date.now(), firstEnergyMs)) === 'left') await server.beginJob('energy')
    endPast(server)
    const days = Math.floor((until - earliestOf(stories)) / dayMs)
    return { days, hours, readings, events, seconds: (performance.now() - started) / 1_000 }
  } finally {
    resume()
    await Promise.all([client.end(), second.end()])
  }
}

/** How the first project is supplied, and what energy costs from where its past begins on. */
async function addCostsOf(
  server: Server,
  plan: readonly ProjectPlan[],
  { accountId }: Person,
  stories: ReturnType<typeof pastOf>,
): Promise<void> {
  const actor = await server.accounts.actorOf(accountId, '', '')
  const numbers = plan[0]?.gateways.map(({ number }) => number) ?? []
  const begun = numbers.flatMap((number) => stories.get(number)?.from ?? [])
  if (actor) await addTopology(server, plan, actor)
  if (actor && begun.length > 0) await addCosts(server, plan, actor, Math.max(...begun))
}

/** Work orders, hazards, rounds and a health check. People who are there already did theirs before an earlier start was interrupted. */
async function addPeoplesWork(server: Server, plan: readonly ProjectPlan[], person: Person): Promise<void> {
  const people = await peopleOf(server, person)
  if (!people) return
  const until = Date.now()
  await addPastRounds(server, plan, people, until)
  await addPastWork(server, people, until)
  await startDemoHealthCheck(server, plan, person)
}

/** What is written one after the other, as it comes; `all`: how many rows. */
class Written {
  all = Promise.resolve(0)

  after(write: () => Promise<number>): void {
    this.all = this.all.then(async (rows) => rows + (await write()))
    // Whoever waits for all of it learns that it failed.
    this.all.catch(() => {})
  }
}

function* batchesOf(channels: readonly ChannelPast[], lineOf: (channel: ChannelPast) => PlantLine): Generator<Batch> {
  const batch = new Batch(0, rowsPerBatch)
  for (const channel of channels) {
    const { at, values } = channel.readings
    const line = lineOf(channel)
    for (let from = 0; from < at.length; ) {
      const to = Math.min(at.length, from + rowsPerBatch - batch.count)
      batch.values.set(values.subarray(from * SLOTS, to * SLOTS), batch.count * SLOTS)
      for (; from < to; from++) {
        const row = batch.count++
        batch.lines[row] = line
        batch.at[row] = batch.receivedAt[row] = at[from] ?? 0
        batch.quality[row] = 0
      }
      if (batch.count < rowsPerBatch) continue
      yield batch
      batch.reuse(0)
    }
  }
  if (batch.count > 0) yield batch
}

/** Hours that are over; the present one is rolled up when it is, from its readings. */
function hoursOf(channel: ChannelPast, line: PlantLine, until: number): HoursBroughtIn {
  const { firstHour, min, mean, max, square, used, coveredMs } = channel
  const periodMs = line.device.gateway.reportingPeriodMs
  const reports = Int32Array.from(coveredMs.subarray(0, Math.floor(until / hourMs) - firstHour), (ms) =>
    Math.round(ms / periodMs),
  )
  return { lineId: line.id, timeZone: line.device.gateway.project.timeZone, firstHour, reports, min, mean, max, square, used }
}

/** What its counter showed at each look. */
const registersOf = ({ registers }: ChannelPast, { id, device, ratedCurrentA }: PlantLine): RegistersBroughtIn => ({
  ...{ lineId: id, periodMs: device.gateway.reportingPeriodMs, ratedCurrentA },
  readings: registers.at.map((at, index) => ({ at, kwh: registers.kwh[index] ?? Number.NaN, quality: 0 })),
})

/** Of hours that are over; the means of the present one are made with it. */
const voltagesOf = ({ firstHour, tenVolts }: ChannelPast, { id }: PlantLine, until: number): VoltagesBroughtIn => ({
  lineId: id,
  firstHour,
  tenVolts: tenVolts.subarray(0, (Math.floor(until / hourMs) - firstHour) * tenVoltsPerHour),
})

/** Who runs the demo. */
export async function personOf(server: Server): Promise<Person> {
  const userName = server.accounts.firstPassword?.userName ?? 'admin'
  const account = await accountByName(server.database.general, userName)
  if (!account) throw new Error(`there is no account ${userName}`)
  return { accountId: account.accountId, userName: account.userName }
}

/** What people ordered and what was reported, as if it had been written when it happened. */
async function writeRecords(
  server: Server,
  past: Past,
  {
    client,
    plan,
    fleet,
    until,
    stories,
  }: {
    client: pg.Client
    plan: readonly ProjectPlan[]
    fleet: Fleet
    until: number
    stories: ReturnType<typeof pastOf>
  },
): Promise<number> {
  const person = await personOf(server)
  const timers = new Map(
    [...(await addTimers(server, person, until))].map(([key, timerId]) => [
      timedReasons.get(key)?.zh ?? '',
      { timerId, name: nightTimers[key].name, pointOf: { close: 1, trip: 2 } },
    ]),
  )
  const linkages = await addLinkages(server, person, until)
  const orders = new PastOrders(server, person, until, { timers, linkages })
  const isTimed = new Set([...timedReasons.values()])
  const isOfGroup = (fact: PastFact) =>
    fact.kind === 'operation' && (fact.reason === lightsOff || isTimed.has(fact.reason) || orders.isOfLinkage(fact))
  const { database, plant, warning } = server
  const log = pino({ level: 'warn' })
  const nightly = new Nightly({ database, plant, hub: { publish() {} }, clock: () => until, log, rules: warning.rules })
  const random = seededRandom(seed)
  const begun = new Map(
    past.channels.map((channel) => {
      const { controllerId, lineNo } = channel
      const line = orders.lineOf(channel)
      const gateway = fleet.gatewayOf(controllerId)
      const { settings } = lineNo === 0 ? gateway.detector(controllerId) : gateway.line(controllerId, lineNo)
      return [line, { from: stories.get(line.device.gateway.number)?.from ?? until, settings }]
    }),
  )
  const nights = nightsOf(stories, until)
  const events = new PastEvents({ server, client, person, orders, begun, until, nights, random, isOfGroup, nightly })
  return events.write(past.facts, failedOrders(plan, until))
}

/** The plant in memory is as a start would read it: what is open, locked out and on record. */
async function readBack({ database, plant }: Server): Promise<void> {
  const stored = await loadPlantUnmeasured(database)
  for (const line of plant.lines.values()) {
    const found = stored.lines.get(line.id)
    if (!found) continue
    const { lockoutCause, tripSequence, selfTest, lastOperationAt } = found
    Object.assign(line, { lockoutCause, tripSequence, selfTest, lastOperationAt })
    for (const [key, state] of found.states) line.states.set(key, state)
    line.positionSince = found.positionSince
    for (const [key, alarm] of found.alarms) line.alarms.set(key, alarm)
  }
}
