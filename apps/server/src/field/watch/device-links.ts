import { silenceOf } from '@linewarden/rules/alarm'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { Batch } from '../../store/ingest/batch.ts'
import { deviceEvent } from './link-event.ts'

/** What ingest knows of a device's link beyond what is committed. */
interface Known {
  link: PlantDevice['link']
  /** When it last reported something of the present; null: not since the server started. */
  reportedAt: number | null
  /** The event of it that is open. */
  openEvent: 'stale' | 'offline' | null
}

/** What a session says of the devices of its gateway. */
export interface Session {
  /** Since when, Unix ms. */
  readonly bornAt: number
  /** Whether the standard asks for this device's birth and the session has not brought it. */
  isUnborn(device: PlantDevice): boolean
}

/** The link of each device behind its gateway: heard, silent, dead, and what people are notified of it. */
export class DeviceLinks {
  readonly #known = new WeakMap<PlantDevice, Known>()

  /** It was born, or reported something of the present. Answers whether it had been silent. */
  reported(batch: Batch, device: PlantDevice, now: number): boolean {
    const known = this.#of(device)
    const wasSilent = known.link === 'stale'
    known.reportedAt = now
    if (known.link !== 'online') this.#put(batch, device, { link: 'online', reason: null, at: now })
    if (known.openEvent) this.#raise(batch, device, null, now)
    return wasSilent
  }

  /** Its gateway says that it is gone. */
  died(batch: Batch, device: PlantDevice, now: number): void {
    this.#put(batch, device, { link: 'offline', reason: 'death', at: now })
    this.#raise(batch, device, 'offline', now)
  }

  /** Of what is behind a gateway that is gone nothing is known until it speaks itself. The gateway's own event tells it for all. */
  gatewayGone(batch: Batch, gateway: PlantGateway, reason: string, now: number): void {
    for (const device of gateway.devices.values())
      if (this.#of(device).link !== 'offline') this.#put(batch, device, { link: 'offline', reason, at: now })
  }

  /** Judges the silence of every device of a gateway that is online; `silentFrom`: since when it counts. Answers those that went away. */
  evaluate(
    batch: () => Batch,
    gateway: PlantGateway,
    session: Session,
    silentFrom: (at: number) => number,
    now: number,
  ): readonly PlantDevice[] {
    const gatewaySince = silentFrom(Math.max(gateway.linkSince ?? 0, session.bornAt))
    const gone: PlantDevice[] = []
    for (const device of gateway.devices.values()) {
      const known = this.#of(device)
      const { link, event } = silenceOf(
        {
          reportedAt: silentFrom(known.reportedAt ?? 0),
          gatewaySince,
          link: known.link,
          periods: { own: device.reportingPeriodMs, gateway: gateway.reportingPeriodMs, promised: gateway.keepsPeriod },
          unborn: session.isUnborn(device),
        },
        now,
      )
      if (link && link !== known.link) {
        this.#put(batch(), device, { link, reason: link === 'stale' ? 'silence' : 'absent', at: now })
        gone.push(device)
      }
      if (event && known.openEvent !== 'offline' && known.openEvent !== event) this.#raise(batch(), device, event, now)
    }
    return gone
  }

  #put(batch: Batch, device: PlantDevice, change: { link: PlantDevice['link']; reason: string | null; at: number }): void {
    this.#of(device).link = change.link
    batch.deviceLinks.set(device, change)
  }

  /** At most one of its events is open; null: none. */
  #raise(batch: Batch, device: PlantDevice, event: Known['openEvent'], now: number): void {
    const known = this.#of(device)
    if (known.openEvent === event) return
    if (known.openEvent) batch.events.push(deviceEvent(device, known.openEvent, 'return', now))
    if (event) batch.events.push(deviceEvent(device, event, 'raise', now))
    known.openEvent = event
  }

  #of(device: PlantDevice): Known {
    const found = this.#known.get(device)
    if (found) return found
    const { link, openEvents } = device
    const openEvent = openEvents.has('device.offline') ? 'offline' : openEvents.has('device.stale') ? 'stale' : null
    const made: Known = { link, reportedAt: null, openEvent }
    this.#known.set(device, made)
    return made
  }
}
