import type { PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { DeviceLinks } from '../watch/device-links.ts'
import { hasValidPosition, invalidateStates } from '../watch/line-watch.ts'
import { linkEvent } from '../watch/link-event.ts'
import type { MessageTaker } from './message-taker.ts'
import type { GatewaySession } from './session.ts'

/** Which gateways and devices are there, and so which of their states can be relied on. */
export class Presence {
  readonly #taker: MessageTaker
  readonly #devices: DeviceLinks
  readonly #clock: () => number

  constructor(taker: MessageTaker, devices: DeviceLinks, clock: () => number) {
    this.#taker = taker
    this.#devices = devices
    this.#clock = clock
  }

  /** `bdSeq` and the reporting period in ms: null, not known. */
  online(gateway: PlantGateway, now: number, bdSeq: number | null, reportingPeriodMs: number | null): void {
    if (gateway.link !== 'online') this.invalidateGateway(gateway)
    const { links, events } = this.#taker.batch
    links.push({ gateway, link: 'online', reason: null, at: now, bdSeq, reportingPeriodMs })
    events.push(linkEvent(gateway, 'offline', 'return', now), linkEvent(gateway, 'stale', 'return', now))
  }

  offline(gateway: PlantGateway, reason: 'death' | 'link'): void {
    const at = this.#clock()
    this.invalidateGateway(gateway)
    const { batch } = this.#taker
    batch.links.push({ gateway, link: 'offline', reason, at, bdSeq: null, reportingPeriodMs: null })
    this.#devices.gatewayGone(batch, gateway, reason, at)
    batch.events.push(linkEvent(gateway, 'offline', 'raise', at), linkEvent(gateway, 'stale', 'return', at))
  }

  deviceDied(session: GatewaySession, wireId: string): void {
    session.edge.deviceDied(wireId)
    const device = session.gateway.devices.get(wireId)
    if (!device) return
    this.invalidateDevice(device)
    this.#devices.died(this.#taker.batch, device, this.#clock())
  }

  /** A device reported something of the present: what was kept during an outage proves nothing. Answers whether it had been silent. */
  reported(device: PlantDevice | undefined, now: number): boolean {
    return device !== undefined && this.#devices.reported(this.#taker.batch, device, now)
  }

  /** Something of it was lost or could not be read, and may have been that a line opened. */
  missed(of: PlantGateway | PlantDevice): void {
    this.#taker.batch.positionInvalidated.add(of)
  }

  /** What it tells first when it speaks again, nobody saw come to be so, also when it brings no birth. */
  invalidateGateway(gateway: PlantGateway): void {
    this.missed(gateway)
    for (const device of gateway.devices.values()) this.invalidateDevice(device)
  }

  invalidateDevice(device: PlantDevice): void {
    this.missed(device)
    for (const lineNo of device.lines.keys()) invalidateStates(this.#taker.watch(device, lineNo))
  }

  /** Whether the line's position was reported since it was last invalidated. */
  hasValidPosition({ device, lineNo }: PlantLine): boolean {
    return hasValidPosition(this.#taker.watch(device, lineNo))
  }
}
