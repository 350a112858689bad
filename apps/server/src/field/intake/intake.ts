import { DecodeError, parseTopic } from '@linewarden/sparkplug'
import type { PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { Batch, Quarantined } from '../../store/ingest/batch.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import type { Arrival } from '../broker/broker.ts'
import { jsonTopic } from '../broker/topic-rights.ts'
import { DeviceLinks } from '../watch/device-links.ts'
import { Births } from './births.ts'
import type { Counters } from './counters.ts'
import { JsonIntake } from './json-intake.ts'
import { MessageTaker } from './message-taker.ts'
import { Presence } from './presence.ts'
import type { GatewaySession } from './session.ts'
import { newSession } from './session.ts'
import { SparkplugIntake } from './sparkplug-intake.ts'

export interface IntakeOptions {
  readonly counters: Counters
  readonly clock: () => number
  /** The batch that is being filled. */
  readonly batch: () => Batch
  /** Puts a device and its lines into the database and the plant; null when the gateway was taken out meanwhile. */
  readonly register: (gateway: PlantGateway, birth: DeviceBirth) => Promise<PlantDevice | null>
  readonly askRebirth: (session: GatewaySession) => void
  /** An exception that nobody foresaw, in what waited for a birth. */
  readonly onFault: (error: unknown) => void
  /** Keeps a message aside that could not be taken. */
  readonly setAside: (refused: Quarantined) => Promise<void>
}

/** From a message to what it changes: decodes, checks the session, names the values, evaluates, and fills the batch. Writes nothing itself. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #sessions = new Map<string, GatewaySession>()
  readonly #taker: MessageTaker
  readonly #presence: Presence
  readonly #sparkplug: SparkplugIntake
  readonly #json: JsonIntake
  readonly devices = new DeviceLinks()

  constructor(options: IntakeOptions) {
    this.#options = options
    const { clock, counters, register, askRebirth } = options
    const taker = new MessageTaker(options)
    const presence = new Presence(taker, this.devices, clock)
    const births = new Births({ taker, presence, clock, register })
    this.#taker = taker
    this.#presence = presence
    this.#sparkplug = new SparkplugIntake({ taker, presence, births, counters, clock, askRebirth })
    this.#json = new JsonIntake(taker, presence, births, clock)
  }

  sessionOf(gateway: PlantGateway): GatewaySession {
    const found = this.#sessions.get(gateway.number)
    // A gateway that was removed and added again is another one, and has not been born yet.
    if (found?.gateway === gateway) return found
    const made = newSession(gateway)
    this.#sessions.set(gateway.number, made)
    return made
  }

  /** Takes one message. Its acknowledgement waits for the batch to be committed; or it waits while the gateway's new devices are registered. */
  take(arrival: Arrival): void {
    const session = this.sessionOf(arrival.gateway)
    if (session.backlog) {
      session.backlog.push(() => this.#takeWaiting(arrival))
      return
    }
    this.#options.counters.messages += 1
    this.#taker.begin()
    try {
      const birth = this.#dispatch(session, arrival)
      if (!birth) {
        this.#deferAck(arrival)
        return
      }
      session.backlog = []
      void birth
        .then(
          () => this.#deferAck(arrival),
          (error: unknown) => arrival.done(error instanceof Error ? error : new Error(String(error))),
        )
        .then(() => {
          const waiting = session.backlog ?? []
          session.backlog = null
          for (const next of waiting) next()
        })
        .catch((error: unknown) => this.#options.onFault(error))
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      this.#taker.quarantine(arrival, error.reason, error.message)
      this.#presence.missed(arrival.gateway)
      this.#deferAck(arrival)
    }
  }

  /** Whoever waits behind it is not to wait for ever. */
  #takeWaiting(arrival: Arrival): void {
    try {
      this.take(arrival)
    } catch (error) {
      this.#options.onFault(error)
      arrival.done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** A self-test is on record: its result is evaluated as if the equipment had reported it. */
  testRecorded(line: PlantLine, at: number): void {
    this.#taker.begin()
    this.#taker.evaluateTest(line, at)
  }

  /** The connection is gone: whatever was born is offline until it is born again. */
  gone(gateway: PlantGateway): void {
    const session = this.sessionOf(gateway)
    // What it reported before waits for a device to be registered: else that would bring it back.
    if (session.backlog) {
      session.backlog.push(() => this.gone(gateway))
      return
    }
    // A JSON gateway may connect for each message: only its death or its silence says that it is gone.
    if (!session.edge.born) return
    this.#taker.begin()
    this.#presence.missed(gateway)
    if (session.json) return
    session.edge.end()
    this.#presence.offline(gateway, 'link')
  }

  /** Its connection was pushed out by another of the same number: what was born must be born again there. It is not offline. */
  takenOver(gateway: PlantGateway): void {
    const session = this.sessionOf(gateway)
    if (session.backlog) {
      session.backlog.push(() => this.takenOver(gateway))
      return
    }
    if (!session.edge.born) return
    this.#taker.begin()
    this.#presence.invalidateGateway(gateway)
    if (!session.json) session.edge.end()
  }

  /** Whether the line's position was reported since it was last invalidated. */
  hasValidPosition(line: PlantLine): boolean {
    return this.#presence.hasValidPosition(line)
  }

  /** Outside a message: a device fell silent. */
  invalidateStates(device: PlantDevice): void {
    this.#taker.begin()
    this.#presence.invalidateDevice(device)
  }

  /** It is acknowledged after the commit, and after what of it was set aside is kept. */
  #deferAck(arrival: Arrival): void {
    const aside = this.#taker.asideOf(arrival)
    const { done } = arrival
    // Of a message that was taken nothing is kept until the commit but this.
    const acknowledge =
      aside.length === 0
        ? done
        : () =>
            void Promise.all(aside)
              .then(() => done())
              .catch((error: unknown) => this.#options.onFault(error))
    this.#options.batch().pendingAcks.push(acknowledge)
  }

  #dispatch(session: GatewaySession, arrival: Arrival): Promise<void> | null {
    if (arrival.read) return this.#json.take(session, arrival, arrival.read, this.#options.clock())
    const json = jsonTopic(arrival.topic)
    if (json) return this.#json.read(session, arrival, json.kind)
    const topic = parseTopic(arrival.topic)
    return topic && this.#sparkplug.take(session, arrival, topic)
  }

  /** After a commit that left some of the batch out: what was taken for granted of it is as committed again. */
  takeBack(batch: Batch): void {
    this.#taker.takeBack(batch)
  }

  recompileWatches(lines: Iterable<PlantLine>): void {
    this.#taker.recompileWatches(lines)
  }
}
