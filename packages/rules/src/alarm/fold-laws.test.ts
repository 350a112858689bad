import { families } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { afterEndMs, foldIncidents } from './fold-incidents.ts'
import { foldableKeys } from './fold-keys.ts'
import type { FoldEvent, FoldTopology, Incident } from './incident.ts'
import { placeKey } from './incident.ts'
import { isIncidentOver, standsAlone } from './incident-end.ts'
import { applyPlatform } from './platform-away.ts'
import { dangerKeys } from './shelving.ts'

// The laws of folding, whatever happens in whatever order it is reported.
const numRuns = process.env.TEST_LONG ? 100_000 : lawRuns(10_000)
const secondMs = 1_000

/** A plant of six gateways: each has two devices of two lines, and a line may be fed by one before it, also of another gateway. */
const gatewayCount = 6
const linesEach = 4
const lineCount = gatewayCount * linesEach
const gatewayOf = (line: number) => Math.floor(line / linesEach)
const deviceOf = (line: number) => Math.floor(line / 2)

const dangers = [...dangerKeys()]
const keysOfLines = ['voltage.under', 'voltage.over', 'unbalance', 'neutral', 'temperature.alarm', ...dangers]
const trips = families.flatMap(({ alarms }) => alarms.flatMap(({ key }) => (key.startsWith('trip.') ? [key] : [])))

/** Something that happens to the plant: where, when, and for how long. */
const happening = fc.record({
  kind: fc.constantFrom('gateway', 'trip', 'open', 'device', 'stale', 'line', 'line', 'neutral'),
  line: fc.nat(lineCount - 1),
  key: fc.constantFrom(...keysOfLines),
  trip: fc.constantFrom(...trips),
  at: fc.nat(150),
  lasts: fc.option(fc.nat(200), { nil: null }),
  apart: fc.nat(9),
})
const plant = fc.record({
  feeders: fc.array(fc.option(fc.nat(lineCount - 1), { nil: null }), { minLength: lineCount, maxLength: lineCount }),
  happenings: fc.array(happening, { maxLength: 24 }),
  /** Since when the platform is back, in seconds; null: it was not away. */
  backAt: fc.option(fc.nat(100), { nil: null }),
  /** How late each report comes, in seconds. */
  delays: fc.array(fc.nat(60), { minLength: 80, maxLength: 80 }),
})
type Plant = (typeof plant extends fc.Arbitrary<infer T> ? T : never) & object

function topologyOf({ feeders }: Plant): FoldTopology {
  const below = new Map<number, Map<number, number>>()
  for (let line = 0; line < lineCount; line++) {
    let steps = 1
    // A line is fed by one before it, so that nothing feeds itself.
    for (let up = feeders[line] ?? null, from = line; up !== null && up < from; from = up, up = feeders[up] ?? null) {
      below.set(up, (below.get(up) ?? new Map()).set(line, steps))
      steps += 1
    }
  }
  const lines = Array.from({ length: lineCount }, (_, line) => line)
  return {
    below,
    linesOfDevice: Map.groupBy(lines, deviceOf),
    linesOfGateway: Map.groupBy(lines, gatewayOf),
    gatewaysOf: new Map([[1, gatewayCount]]),
    periodOf: new Map(lines.map((line) => [gatewayOf(line), 10 * secondMs])),
    maxPeriodMsOf: new Map([[1, 10 * secondMs]]),
  }
}

/** What was reported, each raise as one event; a report of its end is the same event once more. */
interface Report {
  readonly event: FoldEvent
  readonly at: number
}

function reportsOf({ happenings }: Plant): Report[] {
  const reports: Report[] = []
  const seen = new Set<string>()
  for (const [index, { kind, line, key, trip, at, lasts, apart }] of happenings.entries()) {
    const place = { projectId: 1, gatewayId: gatewayOf(line), deviceId: null, lineId: null }
    const [from, to] = [at * secondMs, lasts === null ? null : (at + lasts) * secondMs]
    const [of, keyOf] =
      kind === 'gateway' || kind === 'stale'
        ? [place, `gateway.${kind === 'stale' ? 'stale' : 'offline'}`]
        : kind === 'device'
          ? [{ ...place, deviceId: deviceOf(line) }, 'device.offline']
          : [
              { ...place, lineId: line },
              kind === 'trip' ? trip : kind === 'open' ? 'position.open' : kind === 'neutral' ? 'neutral' : key,
            ]
    // One alarm of a place is open once, and a line trips once.
    const once = `${of.gatewayId} ${of.deviceId} ${of.lineId} ${kind === 'trip' || kind === 'open' ? 'opens' : keyOf}`
    if (seen.has(once)) continue
    seen.add(once)
    const event = { ...of, id: String(index + 1), key: keyOf, at: from, returnedAt: null, parent: null, apart: apart === 0 }
    reports.push({ event, at: from })
    if (to === null) continue
    if (kind === 'open') reports.push({ event: { ...event, id: `${index + 1_001}`, key: 'position.closed', at: to }, at: to })
    else reports.push({ event: { ...event, returnedAt: to }, at: to })
  }
  return reports
}

/** What a server that stores all of it knows, report by report. */
class House {
  readonly #topology: FoldTopology
  events = new Map<string, FoldEvent>()
  incidents = new Map<string, Incident>()
  /** Places that no longer fold, and why an event stands alone since. */
  closed: Incident[] = []

  constructor(topology: FoldTopology) {
    this.#topology = topology
  }

  isBack(at: number): void {
    const place = { kind: 'platform', projectId: 1, gatewayId: null, lineId: null } as const
    const incident = { ...place, rootId: null, openedAt: at - 60 * secondMs, raisedAt: at, endedAt: null }
    this.incidents.set(placeKey(place), incident)
  }

  /** Whether the platform has settled again. */
  look(now: number): void {
    applyPlatform(this.incidents, this.#topology, now)
  }

  came(reports: readonly FoldEvent[], now: number): void {
    const came = reports.map((event) => ({ ...event, parent: this.events.get(event.id)?.parent ?? null }))
    const { incidents, parents } = foldIncidents(
      { incidents: [...this.incidents.values()], events: [...this.events.values()] },
      came,
      this.#topology,
      now,
    )
    this.incidents = new Map(incidents)
    for (const event of came) this.events.set(event.id, event)
    for (const [id, parent] of parents) {
      const event = this.events.get(id)
      if (event && event.parent !== parent) this.events.set(id, { ...event, parent })
    }
  }

  /** Time passes: what is over shows for nothing that is still there. */
  passes(now: number): void {
    for (const [key, incident] of this.incidents) {
      if (!isIncidentOver(incident, now)) continue
      this.incidents.delete(key)
      this.closed.push(incident)
      for (const [id, event] of this.events) {
        if (event.parent !== key) continue
        const state = event.returnedAt === null ? 'active' : 'returned'
        if (standsAlone(state, 'returned')) this.events.set(id, { ...event, parent: null })
      }
    }
  }

  /** The incidents with what they show for, as people see them. */
  shown() {
    return [...this.incidents.values()]
      .map((incident) => ({ ...incident, children: this.#childrenOf(placeKey(incident)) }))
      .filter(({ children }) => children.length > 0)
      .toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1))
  }

  #childrenOf(key: string): string[] {
    return [...this.events.values()].flatMap(({ id, parent }) => (parent === key ? [id] : [])).toSorted()
  }
}

/** By then everything has arrived, and the platform knows what has not come back with it. */
const settledS = 250

/** Everything is reported, one by one, in the order in which it arrives. */
function arrive(plant: Plant, delayed: boolean): House {
  const house = new House(topologyOf(plant))
  if (plant.backAt !== null) house.isBack(plant.backAt * secondMs)
  const arrivals = reportsOf(plant).map(({ event, at }, index) => ({
    event,
    // The two reports of one alarm come in their order.
    now: at + (delayed ? (plant.delays[(Number(event.id) % 1_000) % 80] ?? index) * secondMs : 0),
  }))
  for (const { event, now } of arrivals.toSorted((a, b) => a.now - b.now)) house.came([event], now)
  house.look(settledS * secondMs)
  return house
}

/** Every event is shown, or is folded under a root that is shown. */
function checkShown(house: House): void {
  for (const event of house.events.values()) {
    const passed = new Set([event.id])
    for (let at: FoldEvent | undefined = event; at?.parent != null; ) {
      const incident = house.incidents.get(at.parent)
      expect(incident).toBeDefined()
      // One is raised where no alarm tells of the cause; else the root is an event, which may be folded itself, and never in a circle.
      if (!incident || incident.rootId === null) break
      expect(passed.has(incident.rootId)).toBe(false)
      passed.add(incident.rootId)
      at = house.events.get(incident.rootId)
      expect(at).toBeDefined()
    }
  }
}

/** Neither what endangers people nor a trip is ever folded, nor what a person took out. */
function checkDanger(house: House): void {
  for (const { key, parent, apart } of house.events.values())
    if (apart || dangers.includes(key) || trips.includes(key) || !foldableKeys.includes(key))
      expect([key, parent]).toEqual([key, null])
}

/** The children of all incidents and what stands by itself are all events. */
function checkSum(house: House): void {
  const folded = house.shown().flatMap(({ children }) => children)
  const alone = [...house.events.values()].flatMap(({ id, parent }) => (parent === null ? [id] : []))
  expect([...folded, ...alone].toSorted()).toEqual([...house.events.keys()].toSorted())
}

/** When roots have gone, nothing that is still there stays hidden. */
function checkEnd(house: House): void {
  const roots = new Set([...house.incidents.values()].map(({ rootId }) => rootId))
  const all = [...house.events.values()]
  const at = 400 * secondMs
  const gone = all.filter(({ id, key }) => roots.has(id) || key === 'gateway.offline')
  const closed = all
    .filter(({ key }) => key === 'position.open')
    .map((event) => ({ ...event, id: `9${event.id}`, key: 'position.closed', at }))
  house.came([...gone.map((event) => ({ ...event, returnedAt: event.returnedAt ?? at })), ...closed], at)
  house.passes(at + afterEndMs)
  for (const { key, parent, returnedAt } of house.events.values())
    if (parent !== null) expect([key, returnedAt]).not.toEqual([key, null])
  expect([...house.incidents.keys()]).toEqual([])
}

test('nothing is lost from sight by folding, no danger is folded, and what outlasts its root stands alone', () => {
  fc.assert(
    fc.property(plant, (given) => {
      const house = arrive(given, true)
      for (const check of [checkShown, checkDanger, checkSum, checkEnd]) check(house)
    }),
    { numRuns },
  )
})

test('the same reports in another order within a minute make the same incidents', () => {
  fc.assert(
    fc.property(plant, (given) => {
      expect(arrive(given, true).shown()).toEqual(arrive(given, false).shown())
    }),
    { numRuns },
  )
})
