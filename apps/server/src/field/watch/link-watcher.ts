import { isStale } from '@linewarden/rules/alarm'
import type { Plant, PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { Batch } from '../../store/ingest/batch.ts'
import type { DeviceLinks, Session } from './device-links.ts'
import { linkEvent } from './link-event.ts'

export interface Watching {
  readonly plant: Plant
  readonly devices: DeviceLinks
  readonly isConnected: (number: string) => boolean
  readonly sessionOf: (gateway: PlantGateway) => Session
  readonly invalidateStates: (device: PlantDevice) => void
  /** Since when, Unix ms, somebody who last reported at `at` counts as silent. */
  readonly silentFrom: (at: number, now: number) => number
  readonly batch: () => Batch
}

/**
 * Finds gateways that fell silent, and those that speak again, and what is silent behind a gateway that lives. A gateway that did not come
 * back after a restart of the server is offline once it has been silent as long. Called every second.
 */
export function watchLinks(
  { plant, devices, isConnected, sessionOf, invalidateStates, silentFrom, batch }: Watching,
  from: number,
  now: number,
): void {
  for (const gateway of plant.gateways.values()) {
    if (gateway.link !== 'online' && gateway.link !== 'stale') continue
    const silent = isStale(silentFrom(Math.max(gateway.lastMessageAt ?? 0, from), now), gateway.reportingPeriodMs, now)
    if (gateway.link === 'online' && silent) {
      batch().links.push({ gateway, link: 'stale', reason: 'silence', at: now, bdSeq: null, reportingPeriodMs: null })
      batch().positionInvalidated.add(gateway)
      batch().events.push(linkEvent(gateway, 'stale', 'raise', now))
    } else if (gateway.link === 'stale' && !silent && gateway.linkReason === 'silence') {
      batch().links.push({ gateway, link: 'online', reason: null, at: now, bdSeq: null, reportingPeriodMs: null })
      batch().events.push(linkEvent(gateway, 'stale', 'return', now))
    } else if (gateway.link === 'stale' && silent && !isConnected(gateway.number)) {
      batch().links.push({ gateway, link: 'offline', reason: 'link', at: now, bdSeq: null, reportingPeriodMs: null })
      batch().events.push(linkEvent(gateway, 'offline', 'raise', now), linkEvent(gateway, 'stale', 'return', now))
      devices.gatewayGone(batch(), gateway, 'link', now)
    } else if (gateway.link === 'online') {
      for (const device of devices.evaluate(batch, gateway, sessionOf(gateway), (at) => silentFrom(Math.max(at, from), now), now))
        invalidateStates(device)
    }
  }
}
