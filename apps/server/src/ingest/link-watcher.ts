import { isStale } from '@linewarden/rules'
import type { Plant } from '../live/plant.ts'
import type { Batch } from './batch.ts'
import { linkEvent } from './link-event.ts'

/**
 * Finds gateways that fell silent, and those that speak again. A gateway that did not come back after a restart of the server is offline
 * once it has been silent as long. Called every second.
 */
export function watchLinks(
  plant: Plant,
  isConnected: (number: string) => boolean,
  judgedFrom: number,
  now: number,
  batch: () => Batch,
): void {
  for (const gateway of plant.gateways.values()) {
    if (gateway.link !== 'online' && gateway.link !== 'stale') continue
    const silent = isStale(Math.max(gateway.lastMessageAt ?? 0, judgedFrom), gateway.reportingPeriodMs, now)
    if (gateway.link === 'online' && silent) {
      batch().links.push({ gateway, link: 'stale', reason: 'silence', at: now, bdSeq: null, reportingPeriodMs: null })
      batch().lostSight.add(gateway)
      batch().events.push(linkEvent(gateway, 'stale', 'raise', now))
    } else if (gateway.link === 'stale' && !silent && gateway.linkReason === 'silence') {
      batch().links.push({ gateway, link: 'online', reason: null, at: now, bdSeq: null, reportingPeriodMs: null })
      batch().events.push(linkEvent(gateway, 'stale', 'return', now))
    } else if (gateway.link === 'stale' && silent && !isConnected(gateway.number)) {
      batch().links.push({ gateway, link: 'offline', reason: 'link', at: now, bdSeq: null, reportingPeriodMs: null })
      batch().events.push(linkEvent(gateway, 'offline', 'raise', now), linkEvent(gateway, 'stale', 'return', now))
    }
  }
}
