import {
  canBeFolded,
  closedKey,
  gatewayOfflineKey,
  isLowSupplyKey,
  isOfCause,
  isOfDeadGateway,
  isOfPlatform,
  isSilenceKey,
  isUnevenSupplyKey,
  neutralKey,
  openedKey,
} from './fold-keys.ts'
import type { FoldEvent, FoldTopology, Incident, IncidentPlace } from './incident.ts'
import { placeKey } from './incident.ts'
import { stalePeriods } from './link.ts'
import { applyPlatform, isOfReturn } from './platform-away.ts'

/** A cause that has gone explains what comes within so long after it, and shows so long for what is still there. */
export const afterEndMs = 120_000
const beforeGatewayMs = 60_000
const tripWindowMs = 30_000
const neutralWindowMs = 60_000
const clusterWindowMs = 60_000
const minOutageGateways = 3
const outageShare = 0.2
const minNeutralLines = 2
/** As long as a connection may be dead before that shows: one and a half times the longest keep-alive that gateways are asked for. */
const deadConnectionMs = 90_000

/** Until then late reports may still show that events do not belong together: as long as equipment may hold one back, and a window. */
const settledAfterMs = 120_000

/** What is known before some events come: the open incidents, and stored events that these may explain otherwise. */
export interface OpenIncidents {
  readonly incidents: readonly Incident[]
  readonly events: readonly FoldEvent[]
}

/** What is known after them. */
export interface Folding {
  /** By place; those that no longer are one are not among them. */
  readonly incidents: ReadonlyMap<string, Incident>
  /** Of each event: the place of the incident that it is folded into; null: it stands by itself. */
  readonly parents: ReadonlyMap<string, string | null>
}

/**
 * Folds events into incidents: one cause, one row. Which incident explains an event follows from the events and their times alone, not from
 * the order in which they came; one that comes after what it explains folds that. Each event has one root, which is never a child of the
 * same incident: a gateway that is gone with an outage still shows for what is behind it. Danger alarms, trips and events of another supply
 * are folded into none.
 */
export function foldIncidents(open: OpenIncidents, came: readonly FoldEvent[], topology: FoldTopology, now: number): Folding {
  const events = new Map([...open.events, ...came].map((event) => [event.id, event]))
  const incidents = new Map(open.incidents.map((incident) => [placeKey(incident), incident]))
  for (const event of [...came].sort(inTime)) applyCause(incidents, event, topology)
  const all = [...events.values()]
  applyNeutrals(incidents, all, now)
  applyPlatform(incidents, topology, now)
  const parents = new Map<string, string | null>()
  const trips = [...incidents.values()].filter(({ kind }) => kind === 'upstreamTrip')
  for (const event of all) parents.set(event.id, explain(incidents, trips, event, topology))
  applyOutages(incidents, parents, all, topology, now)
  return { incidents, parents }
}

const inTime = (a: FoldEvent, b: FoldEvent): number => a.at - b.at || compareIds(a.id, b.id)
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** A cause comes, comes again or goes. */
function applyCause(incidents: Map<string, Incident>, event: FoldEvent, { below }: FoldTopology): void {
  const { key, projectId, gatewayId, lineId, id, at, returnedAt } = event
  if (!isOfCause(key) || key === neutralKey) return
  if (key === gatewayOfflineKey) {
    const place = { kind: 'gateway', projectId, gatewayId, lineId: null } as const
    comes(incidents, place, { rootId: id, at, endedAt: returnedAt })
    return
  }
  if (lineId === null) return
  const place = { kind: 'upstreamTrip', projectId, gatewayId, lineId } as const
  if (key === closedKey) {
    const known = incidents.get(placeKey(place))
    if (known && at >= known.raisedAt) incidents.set(placeKey(place), { ...known, endedAt: earliest(known.endedAt, at) })
  } else if (below.has(lineId))
    comes(incidents, place, { rootId: key === openedKey ? null : id, at, endedAt: key === openedKey ? null : returnedAt })
}

function comes(
  incidents: Map<string, Incident>,
  place: IncidentPlace,
  { rootId, at, endedAt }: { readonly rootId: string | null; readonly at: number; readonly endedAt: number | null },
): void {
  const key = placeKey(place)
  const known = incidents.get(key)
  if (!known) {
    incidents.set(key, { ...place, rootId, openedAt: at, raisedAt: at, endedAt })
    return
  }
  const isNewer = at > known.raisedAt
  const isLatest = isNewer || at === known.raisedAt || (rootId !== null && rootId === known.rootId)
  incidents.set(key, {
    ...known,
    // What shows for it stays, unless it went and came again as another event.
    rootId: isNewer && known.endedAt !== null ? (rootId ?? known.rootId) : (known.rootId ?? rootId),
    openedAt: Math.min(known.openedAt, at),
    raisedAt: Math.max(known.raisedAt, at),
    // What comes late ends nothing that came since.
    endedAt: isNewer ? endedAt : isLatest && endedAt !== null ? earliest(known.endedAt, endedAt) : known.endedAt,
  })
}

const earliest = (one: number | null, other: number): number => (one === null ? other : Math.min(one, other))

/** The incident that explains an event best; null: none does. What is folded stays so while its incident is open, if none is better. */
function explain(
  incidents: ReadonlyMap<string, Incident>,
  trips: readonly Incident[],
  event: FoldEvent,
  topology: FoldTopology,
): string | null {
  if (event.apart || !canBeFolded(event.key)) return null
  const gateway = incidents.get(`gateway ${event.gatewayId}`)
  if (gateway && isOfDeadGateway(event.key) && isWithin(event, gateway, beforeGatewayMs, null)) return placeKey(gateway)
  const trip = nearestTrip(trips, event, topology)
  if (trip) return placeKey(trip)
  const platform = incidents.get(`platform ${event.projectId}`)
  if (platform && isOfPlatform(event.key) && isOfReturn(event, platform, topology)) return placeKey(platform)
  const neutral = incidents.get(`neutral ${event.gatewayId}`)
  if (neutral && neutral.rootId !== event.id && isUnevenSupplyKey(event.key) && event.lineId !== null)
    if (isWithin(event, neutral, neutralWindowMs, neutralWindowMs)) return placeKey(neutral)
  return null
}

/** Within the window of an incident, or folded into it already. `afterMs` null: until it has gone, and a while longer. */
function isWithin(event: FoldEvent, incident: Incident, beforeMs: number, afterMs: number | null): boolean {
  if (event.parent === placeKey(incident)) return true
  const last = afterMs === null ? (incident.endedAt ?? Number.POSITIVE_INFINITY) + afterEndMs : incident.raisedAt + afterMs
  return event.at >= incident.openedAt - beforeMs && event.at <= last
}

/** Of the lines that opened upstream of an event the nearest; of two as near the one that opened nearer to it in time. */
function nearestTrip(trips: readonly Incident[], event: FoldEvent, topology: FoldTopology): Incident | null {
  let best: { readonly trip: Incident; readonly steps: number; readonly apartMs: number } | null = null
  for (const trip of trips) {
    const steps = stepsBelow(trip, event, topology)
    if (steps === null || !isOfTrip(event, trip, topology)) continue
    const apartMs = Math.abs(event.at - trip.openedAt)
    if (!best || steps < best.steps || (steps === best.steps && apartMs < best.apartMs)) best = { trip, steps, apartMs }
  }
  return best?.trip ?? null
}

/** How many steps below the line that opened; of a device or gateway, which hangs there with all its lines, of the nearest of these. Null: not below. */
function stepsBelow({ lineId }: Incident, event: FoldEvent, topology: FoldTopology): number | null {
  const below = lineId === null ? undefined : topology.below.get(lineId)
  if (!below) return null
  if (event.lineId !== null) return isLowSupplyKey(event.key) ? (below.get(event.lineId) ?? null) : null
  if (!isSilenceKey(event.key)) return null
  const lines =
    (event.deviceId === null ? topology.linesOfGateway.get(event.gatewayId) : topology.linesOfDevice.get(event.deviceId)) ?? []
  let least: number | null = null
  for (const line of lines) {
    const steps = below.get(line)
    if (steps === undefined) return null
    least = least === null ? steps : Math.min(least, steps)
  }
  return least
}

/** Whether an event below may come of a line's opening, by the time. Silence began some time before it was noticed. */
function isOfTrip(event: FoldEvent, trip: Incident, { periodOf }: FoldTopology): boolean {
  if (event.parent === placeKey(trip)) return true
  const noticedMs = isSilenceKey(event.key) ? Math.max(deadConnectionMs, stalePeriods * (periodOf.get(event.gatewayId) ?? 0)) : 0
  return event.at >= trip.openedAt - tripWindowMs && event.at - noticedMs <= trip.raisedAt + tripWindowMs
}

/** A finding of a broken neutral on at least two lines of a gateway within a minute: the first shows for the others. */
function applyNeutrals(incidents: Map<string, Incident>, events: readonly FoldEvent[], now: number): void {
  const findings = Map.groupBy(
    events.filter(({ key, lineId }) => key === neutralKey && lineId !== null),
    ({ gatewayId }) => gatewayId,
  )
  for (const [gatewayId, own] of findings) {
    const place = { kind: 'neutral', projectId: own[0]?.projectId ?? 0, gatewayId, lineId: null } as const
    if (isUnread(incidents, place, events)) continue
    const cluster = clusterOf(incidents, place, own, { least: minNeutralLines, by: ({ lineId }) => lineId, now })
    const root = cluster?.isSettled ? cluster.events.find(({ id }) => id === cluster.known?.rootId) : cluster?.events[0]
    if (!cluster || !root) incidents.delete(placeKey(place))
    else incidents.set(placeKey(place), { ...place, ...spanOf(cluster), rootId: root.id, endedAt: root.returnedAt })
  }
}

/** Several gateways of a project gone within a minute, which no line that opened explains: one outage, whose end is that of the last. */
function applyOutages(
  incidents: Map<string, Incident>,
  parents: Map<string, string | null>,
  events: readonly FoldEvent[],
  { gatewaysOf }: FoldTopology,
  now: number,
): void {
  const gone = Map.groupBy(
    events.filter(({ id, key, apart }) => key === gatewayOfflineKey && !apart && parents.get(id) === null),
    ({ projectId }) => projectId,
  )
  for (const { kind, projectId } of incidents.values()) if (kind === 'outage' && !gone.has(projectId)) gone.set(projectId, [])
  for (const [projectId, own] of gone) {
    const place = { kind: 'outage', projectId, gatewayId: null, lineId: null } as const
    if (isUnread(incidents, place, events)) continue
    const least = Math.max(minOutageGateways, Math.ceil(outageShare * (gatewaysOf.get(projectId) ?? 0)))
    const cluster = clusterOf(incidents, place, own, { least, by: ({ gatewayId }) => gatewayId, now })
    if (!cluster) {
      incidents.delete(placeKey(place))
      continue
    }
    const ends = cluster.events.map(({ returnedAt }) => returnedAt)
    const endedAt = ends.every((each) => each !== null) ? Math.max(...ends) : null
    incidents.set(placeKey(place), { ...place, ...spanOf(cluster), rootId: cluster.known?.rootId ?? null, endedAt })
    for (const { id } of cluster.events) parents.set(id, placeKey(place))
  }
}

/** An incident of which none was read that belongs to it: nothing that came concerns it. */
function isUnread(incidents: ReadonlyMap<string, Incident>, place: IncidentPlace, read: readonly FoldEvent[]): boolean {
  const known = incidents.get(placeKey(place))
  return known !== undefined && !read.some(({ id, parent }) => parent === placeKey(place) || id === known.rootId)
}

interface Cluster {
  readonly known: Incident | undefined
  readonly isSettled: boolean
  /** In the order of time. */
  readonly events: readonly FoldEvent[]
}

/**
 * Events that belong together: each within a window of the one before, and somewhere enough of them within one window. Null: there are not
 * enough. An incident that is settled stays, and whatever was folded into it.
 */
function clusterOf(
  incidents: ReadonlyMap<string, Incident>,
  place: IncidentPlace,
  some: readonly FoldEvent[],
  how: { readonly least: number; readonly by: (event: FoldEvent) => number | null; readonly now: number },
): Cluster | null {
  const known = incidents.get(placeKey(place))
  const isSettled = known !== undefined && how.now - known.openedAt > settledAfterMs
  const belongs = (event: FoldEvent) => isSettled && (event.parent === placeKey(place) || event.id === known.rootId)
  const chains: FoldEvent[][] = []
  for (const event of some.toSorted(inTime)) {
    const chain = chains.at(-1)
    const last = chain?.at(-1)
    if (chain && last && event.at - last.at <= clusterWindowMs) chain.push(event)
    else chains.push([event])
  }
  const events = chains.filter((chain) => chain.some(belongs) || hasEnough(chain, how)).flat()
  return events.length === 0 ? null : { known, isSettled, events }
}

/** Whether somewhere in a chain so many differ by something within one window. */
function hasEnough(
  chain: readonly FoldEvent[],
  { least, by }: { readonly least: number; readonly by: (event: FoldEvent) => number | null },
): boolean {
  const within = new Map<number | null, number>()
  let from = 0
  for (const event of chain) {
    within.set(by(event), (within.get(by(event)) ?? 0) + 1)
    for (let first = chain[from]; first && event.at - first.at > clusterWindowMs; first = chain[from]) {
      const left = (within.get(by(first)) ?? 0) - 1
      if (left > 0) within.set(by(first), left)
      else within.delete(by(first))
      from += 1
    }
    if (within.size >= least) return true
  }
  return false
}

/** From the first to the last of them, and of what came before. */
const spanOf = ({ known, events }: Cluster) => ({
  openedAt: Math.min(known?.openedAt ?? Number.POSITIVE_INFINITY, events[0]?.at ?? 0),
  raisedAt: Math.max(known?.raisedAt ?? 0, events.at(-1)?.at ?? 0),
})
