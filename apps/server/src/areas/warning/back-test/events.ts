import { dayMs, hourMs } from '@linewarden/equipment'
import type { LineBackTest, Outcome, WarningDetector } from '@linewarden/rules/warning'
import {
  evaluateLink,
  evaluateTrips,
  foldOffline,
  linkUnstable,
  newOfflineState,
  offline,
  tripsOften,
} from '@linewarden/rules/warning'
import type { PlantLine } from '../../../plant/plant.ts'
import type { Happened } from '../../../store/warning/trial-source.ts'
import { happenedIn } from '../../../store/warning/trial-source.ts'
import { everyDay, Spans } from './spans.ts'
import type { Trial, Tried, TriedOut } from './trial.ts'
import { isFor } from './trial.ts'

/** Detectors that look at what was recorded as events. */
export const eventKeys: readonly string[] = [offline.key, linkUnstable.key, tripsOften.key]

/** What is looked at before the stretch: what trips of a week ago still count for, and which links were away. */
const beforeMs = 14 * dayMs

/** Tries out a detector over recorded events. Of a device or a gateway as a whole its first line that the rule is for stands for it. */
export async function tryEvents({ client, lines, detector, trials, from, to, pace }: Tried): Promise<TriedOut> {
  const gateways = [...new Set(lines.map(({ device }) => device.gateway.id))]
  const ofLines = detector.key === tripsOften.key
  const happened = await happenedIn(client, gateways, ofLines ? 'trips' : 'links', { from: from - beforeMs, to })
  const byLine = Map.groupBy(happened, ({ lineId }) => lineId)
  const byGateway = Map.groupBy(happened, ({ gatewayId }) => gatewayId)
  const results: LineBackTest[][] = trials.map(() => [])
  for (const [nth, trial] of trials.entries()) {
    const own = lines.filter((line) => isFor(trial, line))
    const firstOf = firstLines(own)
    for (const line of own) {
      const places = ofLines ? [{ place: null, at: byLine.get(line.id) ?? [] }] : placesOf(line, firstOf, byGateway)
      const spans = new Spans(line, from)
      for (const { place, at } of places) {
        const followed = { spans, place, happened: at, to }
        if (detector.key === offline.key) followAway(trial, line, followed)
        else followOften(detector, trial, followed)
      }
      results[nth]?.push({ lineId: line.id, findings: spans.end(to), ...everyDay(line, from, to) })
      await pace.rest()
    }
  }
  return results
}

/** The first line of each device and gateway. */
function firstLines(lines: readonly PlantLine[]) {
  const [devices, gateways] = [new Map<number, PlantLine>(), new Map<number, PlantLine>()]
  for (const line of lines) {
    if (!devices.has(line.device.id)) devices.set(line.device.id, line)
    if (!gateways.has(line.device.gateway.id)) gateways.set(line.device.gateway.id, line)
  }
  return { devices, gateways }
}

/** What a line stands for: its device and its gateway, each with what happened to its link. */
function placesOf(
  line: PlantLine,
  { devices, gateways }: ReturnType<typeof firstLines>,
  byGateway: ReadonlyMap<number, readonly Happened[]>,
): readonly { readonly place: string; readonly at: readonly Happened[] }[] {
  const { gateway } = line.device
  const own = byGateway.get(gateway.id) ?? []
  return [
    ...(gateways.get(gateway.id) === line ? [{ place: 'gateway', at: own.filter(({ deviceId }) => deviceId === null) }] : []),
    ...(devices.get(line.device.id) === line
      ? [{ place: 'device', at: own.filter(({ deviceId }) => deviceId === line.device.id) }]
      : []),
  ]
}

interface Followed {
  readonly spans: Spans
  readonly place: string | null
  readonly happened: readonly Happened[]
  readonly to: number
}

function followOften(detector: WarningDetector, trial: Trial, { spans, place, happened, to }: Followed): void {
  const at = happened.filter(({ act }) => act === 'raise').map((each) => each.at)
  const evaluate = (now: number): Outcome =>
    detector.key === tripsOften.key ? evaluateTrips(trial.params as never, at, now) : evaluateLink(trial.params as never, at, now)
  // It begins when something happens, and ends when that is so long ago that it counts no more.
  const lasting = detector.key === tripsOften.key ? [dayMs, 7 * dayMs] : [hourMs]
  const moments = [...at, ...at.flatMap((each) => lasting.map((ms) => each + ms))].filter((each) => each < to)
  for (const now of moments.toSorted((one, other) => one - other))
    if (evaluate(now)) spans.raise(place, now)
    else spans.return(place, now)
}

function followAway({ params }: Trial, { device }: PlantLine, { spans, place, happened, to }: Followed): void {
  const state = newOfflineState()
  const periodMs = device.reportingPeriodMs ?? device.gateway.reportingPeriodMs
  const limitMs = Math.max((params.hours ?? offline.parameters.hours.default) * hourMs, 3 * periodMs)
  const fold = (at: number, link: 'offline' | 'online') => {
    const change = foldOffline(params as never, state, { at, link, periodMs })
    if (change?.kind === 'raised') spans.raise(place, at)
    else if (change) spans.return(place, at)
  }
  for (const [nth, { act, at }] of happened.entries()) {
    const next = happened[nth + 1]?.at ?? to
    const link = act === 'raise' ? 'offline' : 'online'
    fold(at, link)
    // Between two changes the link is looked at again and again: what counts is when it has lasted long enough.
    const lasts = link === 'offline' ? at + limitMs : at + 5 * 60_000
    if (lasts <= next && lasts < to) fold(lasts, link)
  }
}
