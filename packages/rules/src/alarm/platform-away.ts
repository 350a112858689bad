import type { FoldEvent, FoldTopology, Incident } from './incident.ts'
import { placeKey } from './incident.ts'
import { stalePeriods } from './link.ts'

/** What is silent since the platform is back is noticed within so long after its three reporting periods: each second, and behind a gateway after it. */
const noticedMs = 60_000
/** What reports more rarely is silent long after the others are known to be back, and shows by itself. */
const maxWaitMs = 10 * 60_000

/** When all is noticed that has been silent since the platform was back, Unix ms; `maxPeriodMs`: the longest reporting period of the project. */
export const platformSettledAt = (backAt: number, maxPeriodMs: number): number =>
  backAt + Math.min(stalePeriods * maxPeriodMs, maxWaitMs) + noticedMs

/**
 * Whether a silence began before the platform was back. Silence counts from the return: what is noticed sooner than three periods after it
 * has reported since, or has gone by itself. What was silent after an earlier return of the same incident stays.
 */
export function isOfReturn(event: FoldEvent, platform: Incident, { periodOf }: FoldTopology): boolean {
  const { raisedAt: backAt } = platform
  if (event.parent === placeKey(platform) && event.at >= platform.openedAt && event.at <= backAt) return true
  const silentMs = Math.min(stalePeriods * (periodOf.get(event.gatewayId) ?? 0), maxWaitMs)
  return event.at >= backAt + silentMs && event.at <= backAt + silentMs + noticedMs
}

/** The platform is back for good once everything is noticed that has not come back with it. */
export function applyPlatform(incidents: Map<string, Incident>, { maxPeriodMsOf }: FoldTopology, now: number): void {
  for (const [key, incident] of incidents) {
    if (incident.kind !== 'platform' || incident.endedAt !== null) continue
    const maxPeriodMs = maxPeriodMsOf.get(incident.projectId)
    if (maxPeriodMs === undefined) continue
    const settledAt = platformSettledAt(incident.raisedAt, maxPeriodMs)
    if (now >= settledAt) incidents.set(key, { ...incident, endedAt: settledAt })
  }
}
