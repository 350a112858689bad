import { wire } from '@linewarden/equipment'
import { reportingInterval } from '@linewarden/rules/settings'
import { cutText } from '../../lib/storable-text.ts'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import type { Arrival } from '../broker/broker.ts'
import { beginSession } from '../watch/line-watch.ts'
import type { NamedValue } from './birth.ts'
import { noRoomFor, readDeviceBirth } from './birth.ts'
import type { MessageTaker } from './message-taker.ts'
import type { Presence } from './presence.ts'
import type { GatewaySession, RefusedDevice } from './session.ts'
import { beginBirth, refuseDevice } from './session.ts'

interface Options {
  readonly taker: MessageTaker
  readonly presence: Presence
  readonly clock: () => number
  /** Puts a device and its lines into the database and the plant; null when the gateway was taken out meanwhile. */
  readonly register: (gateway: PlantGateway, birth: DeviceBirth) => Promise<PlantDevice | null>
}

/** What births of gateways and devices bring, in whichever dialect they came. */
export class Births {
  readonly #taker: MessageTaker
  readonly #presence: Presence
  readonly #clock: () => number
  readonly #register: Options['register']

  constructor({ taker, presence, clock, register }: Options) {
    this.#taker = taker
    this.#presence = presence
    this.#clock = clock
    this.#register = register
  }

  /** `restarted`: the gateway itself began anew, and not its birth alone. */
  gateway(
    session: GatewaySession,
    arrival: Arrival,
    values: readonly NamedValue[],
    { bdSeq, restarted, now }: { bdSeq: number | null; restarted: boolean; now: number },
  ): void {
    const { gateway } = arrival
    this.#presence.missed(gateway)
    session.bornAt = now
    const value = (name: string) => values.find((each) => each.name === name)?.value
    const periodMs = this.period(gateway, value(wire.info.reportingPeriod), now)
    const synchronised = value(wire.info.clockSynchronised)
    this.#taker.batch.clocks.set(gateway, typeof synchronised === 'boolean' ? synchronised : null)
    const signal = values.find(({ name }) => name === wire.info.signal)
    if (signal) this.#taker.ingestSignal(arrival, signal.value, { ...signal, receivedAt: now })
    const text = (name: string) => {
      const reported = value(name)
      return typeof reported === 'string' && reported !== '' ? cutText(reported, 64) : null
    }
    const [model, firmware] = [text(wire.info.model), text(wire.info.firmware)]
    const keepsPeriod = periodMs !== null
    this.#taker.batch.births.push({ gateway, model, firmware, keepsPeriod, restarted, receivedAt: now })
    this.#presence.online(gateway, now, bdSeq, periodMs)
  }

  /** How often a gateway says that it reports: in seconds as it was read, in ms as it is answered; null: not a period. */
  period(gateway: PlantGateway, seconds: unknown, now: number): number | null {
    if (typeof seconds !== 'number' || !(seconds >= 0.001 && seconds <= 86_400)) return null
    const { key } = reportingInterval
    this.#taker.batch.readBacks.push({ gateway, line: null, key, value: seconds, deviceAt: now, receivedAt: now })
    return Math.round(seconds * 1000)
  }

  /** Null when it is done; a promise while the device is registered. */
  device(session: GatewaySession, arrival: Arrival, wireId: string, values: readonly NamedValue[]): Promise<void> | null {
    const birth = readDeviceBirth(wireId, values)
    const known = session.gateway.devices.get(wireId)
    if (known) this.#presence.missed(known)
    const refuse = (reason: RefusedDevice['reason'], detail: string) => {
      this.#taker.quarantine(arrival, reason, detail)
      refuseDevice(session, { controllerId: wireId, reason, detail }, this.#clock())
      return null
    }
    if (typeof birth === 'string') return refuse('device_birth', birth)
    const others = [...session.gateway.devices.values()].filter((each) => each !== known)
    const full = noRoomFor(birth, others)
    if (full) return refuse(full.reason, full.detail)
    const finish = (device: PlantDevice | null) => {
      this.#taker.begin()
      if (!device) {
        this.#taker.quarantine(arrival, 'gateway_removed', `${wireId}: its gateway was taken out meanwhile`)
        return
      }
      session.edge.deviceBorn(wireId)
      beginBirth(session, wireId)
      this.#presence.reported(device, this.#clock())
      for (const lineNo of device.lines.keys()) beginSession(this.#taker.watch(device, lineNo))
      this.#taker.putNamed(session, arrival, device, values, true)
    }
    if (known && isSame(known, birth)) {
      finish(known)
      return null
    }
    return this.#register(session.gateway, birth).then(finish)
  }
}

const isSame = (device: PlantDevice, birth: DeviceBirth): boolean =>
  device.family === birth.family &&
  device.model === birth.model &&
  device.firmware === birth.firmware &&
  device.reportingPeriodMs === birth.reportingPeriodMs &&
  birth.lines.every(({ lineNo, ratedCurrentA }) => {
    const line = device.lines.get(lineNo)
    return line !== undefined && (ratedCurrentA === null || line.ratedCurrentA === ratedCurrentA)
  })
