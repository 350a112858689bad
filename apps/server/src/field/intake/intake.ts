import { wire } from '@linewarden/equipment'
import { reportingInterval } from '@linewarden/rules/settings'
import type { Payload } from '@linewarden/sparkplug'
import {
  DataReader,
  DataType,
  DecodeError,
  decodePayload,
  EntryKind,
  integerAs,
  parseTopic,
  valueAs,
} from '@linewarden/sparkplug'
import { storableText } from '../../lib/storable-text.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { Batch, Quarantined } from '../../store/ingest/batch.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import type { Arrival } from '../broker/broker.ts'
import { jsonTopic } from '../broker/topic-rights.ts'
import { DeviceLinks } from '../watch/device-links.ts'
import { beginSession, hasValidPosition, invalidateStates } from '../watch/line-watch.ts'
import { linkEvent } from '../watch/link-event.ts'
import type { NamedValue } from './birth.ts'
import { noRoomFor, readDeviceBirth } from './birth.ts'
import type { Counters } from './counters.ts'
import type { JsonMessage } from './json.ts'
import { readJsonMessage } from './json.ts'
import { MessageTaker } from './message-taker.ts'
import type { GatewaySession, RefusedDevice } from './session.ts'
import { announce, beginBirth, newSession, nodeTargetOf, refuseDevice, targetOf } from './session.ts'
import type { Moment } from './take.ts'

export interface IntakeOptions {
  readonly plant: Plant
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
  readonly #reader = new DataReader()
  readonly #taker: MessageTaker
  readonly devices = new DeviceLinks()

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#taker = new MessageTaker(options)
  }

  sessionOf(gateway: PlantGateway): GatewaySession {
    const found = this.#sessions.get(gateway.number)
    // A gateway that was removed and added again is another one, and has not been born yet.
    if (found?.gateway === gateway) return found
    const made = newSession(gateway)
    this.#sessions.set(gateway.number, made)
    return made
  }

  /** Takes one message. Its acknowledgement is held by the batch; or it waits while the gateway's new devices are registered. */
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
        this.#hold(arrival)
        return
      }
      session.backlog = []
      void birth
        .then(
          () => this.#hold(arrival),
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
      this.#missed(arrival.gateway)
      this.#hold(arrival)
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
    // What it said before waits for a device to be registered: else that would bring it back.
    if (session.backlog) {
      session.backlog.push(() => this.gone(gateway))
      return
    }
    // A JSON gateway may connect for each message: only its death or its silence says that it is gone.
    if (!session.edge.born) return
    this.#taker.begin()
    this.#missed(gateway)
    if (session.json) return
    session.edge.end()
    this.#offline(gateway, 'link')
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
    this.#invalidateGateway(gateway)
    if (!session.json) session.edge.end()
  }

  /** Whether the line's position was told since it was last out of sight. */
  hasValidPosition: (line: PlantLine) => boolean = ({ device, lineNo }) => hasValidPosition(this.#taker.watch(device, lineNo))

  /** Something of it was lost or could not be read, and may have been that a line opened. */
  #missed(of: PlantGateway | PlantDevice): void {
    this.#taker.batch.positionInvalidated.add(of)
  }

  /** It is acknowledged after the commit, and after what of it was set aside is kept. */
  #hold(arrival: Arrival): void {
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
    this.#options.batch().holds.push(acknowledge)
  }

  #dispatch(session: GatewaySession, arrival: Arrival): Promise<void> | null {
    if (arrival.read) return this.#message(session, arrival, arrival.read, this.#options.clock())
    const json = jsonTopic(arrival.topic)
    if (json) return this.#json(session, arrival, json.kind)
    const topic = parseTopic(arrival.topic)
    if (!topic || topic.kind === 'STATE') return null
    const now = this.#options.clock()
    if (!this.#isOfGroup(session, arrival, topic.group, topic.kind)) return null
    if (topic.kind === 'DDATA' && this.#reader.read(arrival.payload)) {
      this.#fastData(session, arrival, topic.device, now)
      return null
    }
    const payload = decodePayload(arrival.payload)
    switch (topic.kind) {
      case 'NBIRTH':
        this.#nodeBirth(session, arrival, topic.group, payload, now)
        return null
      case 'NDEATH': {
        const bdSeq = sequenceOf(payload.metrics.find((each) => each.name === 'bdSeq')?.value)
        if (session.edge.death(bdSeq)) this.#offline(session.gateway, 'death')
        return null
      }
      case 'DBIRTH':
        if (!this.#inSequence(session, arrival, payload.seq)) return null
        return this.#deviceBirth(session, arrival, topic.device, namedValues(payload, now))
      case 'DDEATH':
        if (this.#inSequence(session, arrival, payload.seq)) this.#deviceDied(session, topic.device)
        return null
      case 'NDATA':
      case 'DDATA':
        this.#slowData(session, arrival, topic.device, payload, now)
        return null
      default:
        return null
    }
  }

  /** An edge node is its group and its id: what comes under another group than that of its newest birth is of another session. */
  #isOfGroup(session: GatewaySession, arrival: Arrival, group: string, kind: string): boolean {
    if (kind === 'NBIRTH') return true
    if (session.json || !session.edge.born) session.group = group
    if (session.group === group) return true
    this.#taker.quarantine(arrival, 'other_group', `it was born in group ${session.group}, and this came in group ${group}`)
    this.#missed(session.gateway)
    return false
  }

  #deviceDied(session: GatewaySession, wireId: string): void {
    session.edge.deviceDied(wireId)
    const device = session.gateway.devices.get(wireId)
    if (!device) return
    this.#invalidateDevice(device)
    this.devices.died(this.#taker.batch, device, this.#options.clock())
  }

  #nodeBirth(session: GatewaySession, arrival: Arrival, group: string, payload: Payload, now: number): void {
    const bdSeq = sequenceOf(payload.metrics.find((each) => each.name === 'bdSeq')?.value)
    const restarted = !session.edge.born || session.edge.bdSeq !== bdSeq
    if (session.edge.birth(payload.seq, bdSeq) !== 'ok') {
      this.#taker.quarantine(arrival, 'birth_seq', 'a birth must carry sequence number 0')
      this.#missed(session.gateway)
      this.#askRebirth(session, now)
      return
    }
    session.group = group
    session.json = false
    session.pushed = false
    beginBirth(session, null)
    const values = namedValues(payload, now)
    for (const each of values) announce(session, null, each, nodeTargetOf(each.name))
    this.#bornGateway(arrival, values, bdSeq, now, restarted)
  }

  #bornGateway(arrival: Arrival, values: readonly NamedValue[], bdSeq: number | null, now: number, restarted: boolean): void {
    const { gateway } = arrival
    this.#missed(gateway)
    this.sessionOf(gateway).bornAt = now
    const value = (name: string) => values.find((each) => each.name === name)?.value
    const periodMs = this.#takePeriod(gateway, value(wire.info.reportingPeriod), now)
    const synchronised = value(wire.info.clockSynchronised)
    this.#taker.batch.clocks.set(gateway, typeof synchronised === 'boolean' ? synchronised : null)
    const signal = values.find(({ name }) => name === wire.info.signal)
    if (signal) this.#taker.ingestSignal(arrival, signal.value, { ...signal, receivedAt: now })
    const text = (name: string) => {
      const said = value(name)
      return typeof said === 'string' && said !== '' ? said.slice(0, 64) : null
    }
    const [model, firmware] = [text(wire.info.model), text(wire.info.firmware)]
    const keepsPeriod = periodMs !== null
    this.#taker.batch.births.push({ gateway, model, firmware, keepsPeriod, restarted, receivedAt: now })
    this.#online(gateway, now, bdSeq, periodMs)
  }

  #takePeriod(gateway: PlantGateway, period: unknown, now: number): number | null {
    if (typeof period !== 'number' || !(period >= 0.001 && period <= 86_400)) return null
    const { key } = reportingInterval
    this.#taker.batch.readBacks.push({ gateway, line: null, key, value: period, deviceAt: now, receivedAt: now })
    return Math.round(period * 1000)
  }

  #online(gateway: PlantGateway, now: number, bdSeq: number | null, reportingPeriodMs: number | null): void {
    if (gateway.link !== 'online') this.#invalidateGateway(gateway)
    this.#taker.batch.links.push({ gateway, link: 'online', reason: null, at: now, bdSeq, reportingPeriodMs })
    this.#taker.batch.events.push(linkEvent(gateway, 'offline', 'return', now), linkEvent(gateway, 'stale', 'return', now))
  }

  #deviceBirth(session: GatewaySession, arrival: Arrival, wireId: string, values: readonly NamedValue[]): Promise<void> | null {
    const birth = readDeviceBirth(wireId, values)
    const known = session.gateway.devices.get(wireId)
    if (known) this.#missed(known)
    const refuse = (reason: RefusedDevice['reason'], detail: string) => {
      this.#taker.quarantine(arrival, reason, detail)
      refuseDevice(session, { controllerId: wireId, reason, detail }, this.#options.clock())
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
      this.devices.heard(this.#taker.batch, device, this.#options.clock())
      for (const lineNo of device.lines.keys()) beginSession(this.#taker.watch(device, lineNo))
      this.#takeNamed(session, arrival, device, values, true)
    }
    if (known && isSame(known, birth)) {
      finish(known)
      return null
    }
    return this.#options.register(session.gateway, birth).then(finish)
  }

  #takeNamed(session: GatewaySession, arrival: Arrival, device: PlantDevice, values: readonly NamedValue[], born: boolean): void {
    const now = this.#options.clock()
    for (const each of values) {
      const target = targetOf(device, each.name, (lineNo) => this.#taker.watch(device, lineNo))
      if (born) announce(session, device.wireId, each, target)
      this.#taker.put(session, arrival, target, each.value, { at: each.at, receivedAt: now, historical: each.historical })
    }
    this.#taker.evaluateTouched()
    this.#taker.finishResult(session, values, now)
  }

  #fastData(session: GatewaySession, arrival: Arrival, device: string, now: number): void {
    const reader = this.#reader
    if (!this.#inSequence(session, arrival, reader.seq)) return
    if (!this.#isBorn(session, arrival, device, now)) return
    if (reader.untyped) session.leavesTypesOut = true
    let lost = false
    let live = false
    let historical = -1
    let when: Moment = { at: 0, receivedAt: now, historical: false }
    for (let i = 0; i < reader.count; i++) {
      const metric = session.aliases.get(reader.alias[i] ?? -1)
      if (reader.historical[i] !== 1) live = true
      if (!metric) {
        lost = true
        continue
      }
      const { target } = metric
      const stamp = reader.timestamp[i] ?? Number.NaN
      const at = Number.isNaN(stamp) ? (Number.isNaN(reader.timestampMs) ? now : reader.timestampMs) : stamp
      if (at !== when.at || historical !== reader.historical[i]) {
        historical = reader.historical[i] ?? 0
        when = { at, receivedAt: now, historical: historical === 1 }
      }
      const kind = reader.kind[i]
      const told = reader.value[i] ?? Number.NaN
      const value = kind === EntryKind.integer ? integerAs(told, metric.type) : told
      if (target.of === 'point' && kind !== EntryKind.boolean) this.#taker.putValue(arrival, target, value, when)
      else {
        const isBoolean = kind === EntryKind.boolean || (kind === EntryKind.integer && metric.type === DataType.Boolean)
        const plain = kind === EntryKind.null ? null : isBoolean ? value !== 0 : value
        this.#taker.put(session, arrival, target, plain, when)
      }
    }
    this.#taker.evaluateTouched()
    if (reader.count === 0 || live) this.#heard(session, device, now)
    if (lost) this.#unknownAlias(session, arrival, now)
  }

  #unknownAlias(session: GatewaySession, arrival: Arrival, now: number): void {
    this.#taker.quarantine(arrival, 'unknown_alias', 'an alias was not announced at birth')
    this.#missed(session.gateway)
    this.#askRebirth(session, now)
  }

  #slowData(session: GatewaySession, arrival: Arrival, device: string | null, payload: Payload, now: number): void {
    if (!this.#inSequence(session, arrival, payload.seq)) return
    if (device !== null && !this.#isBorn(session, arrival, device, now)) return
    const plantDevice = device === null ? null : (session.gateway.devices.get(device) ?? null)
    const announced = session.metrics.get(device)
    const told: NamedValue[] = []
    for (const each of payload.metrics) {
      const metric = session.aliases.get(each.alias ?? -1) ?? announced?.get(each.name ?? '')
      const name = each.name ?? metric?.name ?? null
      if (name === null) {
        this.#unknownAlias(session, arrival, now)
        continue
      }
      if (each.type === DataType.Unknown) session.leavesTypesOut = true
      const { isHistorical: historical } = each
      const value = plainValue(valueAs(each, metric?.type ?? DataType.Unknown))
      const at = each.timestampMs ?? payload.timestampMs ?? now
      const target =
        metric?.target ??
        (plantDevice ? targetOf(plantDevice, name, (lineNo) => this.#taker.watch(plantDevice, lineNo)) : nodeTargetOf(name))
      told.push({ name, alias: each.alias, type: each.type, value, at, historical })
      this.#taker.put(session, arrival, target, value, { at, receivedAt: now, historical })
    }
    this.#taker.evaluateTouched()
    if (device !== null && !told.every(({ historical }) => historical)) this.#heard(session, device, now)
    this.#taker.finishResult(session, told, now)
    // The gateway read back how often it reports; the link row carries it.
    const period = device === null ? told.find(({ name }) => name === wire.info.reportingPeriod) : undefined
    const periodMs = period && !period.historical ? this.#takePeriod(session.gateway, period.value, now) : null
    if (periodMs !== null) this.#online(session.gateway, now, session.edge.bdSeq, periodMs)
  }

  #json(session: GatewaySession, arrival: Arrival, kind: string): Promise<void> | null {
    const now = this.#options.clock()
    const message = readJsonMessage(kind, arrival.payload, now)
    if (message.kind === 'refused') {
      this.#taker.quarantine(arrival, message.reason, message.detail)
      this.#missed(session.gateway)
      return null
    }
    return this.#message(session, arrival, message, now)
  }

  #message(session: GatewaySession, arrival: Arrival, message: JsonMessage, now: number): Promise<void> | null {
    session.json = true
    session.pushed = arrival.read !== undefined
    if (message.kind === 'death') {
      if (session.edge.born) {
        session.edge.end()
        this.#offline(session.gateway, 'death')
      }
      return null
    }
    if (message.kind === 'birth') {
      session.edge.birth(0, null)
      beginBirth(session, null)
      this.#bornGateway(arrival, message.values, null, now, true)
      return message.devices.reduce<Promise<void> | null>((before, device) => {
        const next = () => {
          // The batch of the device before may be committed by now.
          this.#taker.begin()
          return this.#deviceBirth(session, arrival, device.wireId, device.values)
        }
        return before ? before.then(() => next() ?? undefined) : next()
      }, null)
    }
    if (message.kind === 'own') {
      this.#ownData(session, arrival, message.values, now)
      return null
    }
    const device = session.gateway.devices.get(message.wireId)
    if (!device) {
      this.#taker.quarantine(
        arrival,
        'not_born',
        `device ${message.wireId} has not been born on this gateway: publish its birth first`,
      )
      return null
    }
    // Names need no session: a device that was born once may report from any later connection, and that brings its gateway back.
    if (!session.edge.born) session.edge.birth(0, null)
    if (session.gateway.link !== 'online') this.#online(session.gateway, now, null, null)
    session.edge.deviceBorn(message.wireId)
    if (!message.values.every(({ historical }) => historical)) this.devices.heard(this.#taker.batch, device, now)
    this.#takeNamed(session, arrival, device, message.values, false)
    return null
  }

  /** What a JSON gateway says of itself between births. */
  #ownData(session: GatewaySession, arrival: Arrival, values: readonly NamedValue[], now: number): void {
    const { gateway } = session
    if (!session.edge.born && gateway.link === 'never') {
      this.#taker.quarantine(arrival, 'not_born', 'the gateway has not been born: publish its birth first')
      return
    }
    if (!session.edge.born) session.edge.birth(0, null)
    if (gateway.link !== 'online') this.#online(gateway, now, null, null)
    for (const each of values) this.#taker.ingestSignal(arrival, each.value, { ...each, receivedAt: now })
  }

  /** A device said something of the present: what was kept during an outage proves nothing. */
  #heard({ gateway }: GatewaySession, wireId: string, now: number): void {
    const device = gateway.devices.get(wireId)
    if (device) this.devices.heard(this.#taker.batch, device, now)
  }

  /** Outside a message: a device fell silent. */
  invalidateStates(device: PlantDevice): void {
    this.#taker.begin()
    this.#invalidateDevice(device)
  }

  /** What it tells first when it speaks again, nobody saw come to be so, also when it brings no birth. */
  #invalidateGateway(gateway: PlantGateway): void {
    this.#missed(gateway)
    for (const device of gateway.devices.values()) this.#invalidateDevice(device)
  }

  #invalidateDevice(device: PlantDevice): void {
    this.#missed(device)
    for (const lineNo of device.lines.keys()) invalidateStates(this.#taker.watch(device, lineNo))
  }

  #inSequence(session: GatewaySession, arrival: Arrival, seq: number | null): boolean {
    const now = this.#options.clock()
    const verdict = session.edge.next(seq, arrival.redelivered)
    if (verdict === 'ok') return true
    if (verdict === 'duplicate') {
      this.#options.counters.duplicates += 1
      return true
    }
    if (verdict === 'seq_gap') {
      // Something was lost on the way; what is here can still be read, and the births will come again.
      this.#missed(session.gateway)
      this.#askRebirth(session, now)
      return true
    }
    this.#notBorn(session, arrival, now, 'the gateway has not been born in this session')
    return false
  }

  #isBorn(session: GatewaySession, arrival: Arrival, device: string, now: number): boolean {
    if (session.edge.knows(device)) return true
    const refused = session.refused.get(device)
    // A rebirth would bring the same birth again, and trouble every other device of the gateway.
    if (refused) refused.messages += 1
    else this.#notBorn(session, arrival, now, `device ${device} has not been born`)
    return false
  }

  #notBorn(session: GatewaySession, arrival: Arrival, now: number, detail: string): void {
    this.#taker.quarantine(arrival, 'not_born', detail)
    this.#missed(session.gateway)
    this.#askRebirth(session, now)
  }

  #askRebirth(session: GatewaySession, now: number): void {
    if (session.json || !session.edge.askRebirth(now)) return
    this.#options.counters.rebirths += 1
    this.#options.askRebirth(session)
  }

  #offline(gateway: PlantGateway, reason: 'death' | 'link'): void {
    const at = this.#options.clock()
    this.#invalidateGateway(gateway)
    this.#taker.batch.links.push({ gateway, link: 'offline', reason, at, bdSeq: null, reportingPeriodMs: null })
    this.devices.gatewayGone(this.#taker.batch, gateway, reason, at)
    this.#taker.batch.events.push(linkEvent(gateway, 'offline', 'raise', at), linkEvent(gateway, 'stale', 'return', at))
  }

  /** After a commit that left some of the batch out: what was taken for granted of it is as committed again. */
  takeBack(batch: Batch): void {
    this.#taker.takeBack(batch)
  }

  recompileWatches(device: PlantDevice): void {
    this.#taker.recompileWatches(device)
  }
}

const isSame = (device: PlantDevice, birth: DeviceBirth): boolean =>
  device.family === birth.family &&
  device.model === birth.model &&
  device.reportingPeriodMs === birth.reportingPeriodMs &&
  birth.lines.every(({ lineNo, ratedCurrentA }) => {
    const line = device.lines.get(lineNo)
    return line !== undefined && (ratedCurrentA === null || line.ratedCurrentA === ratedCurrentA)
  })

const namedValues = (payload: Payload, now: number): NamedValue[] =>
  payload.metrics.flatMap(({ name, alias, type, value, timestampMs, isHistorical }) =>
    name === null
      ? []
      : [
          {
            name,
            alias,
            type,
            value: plainValue(value),
            at: timestampMs ?? payload.timestampMs ?? now,
            historical: isHistorical,
          },
        ],
  )

function plainValue(value: number | bigint | boolean | string | Uint8Array | null): number | boolean | string | null {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return storableText(value)
  return value instanceof Uint8Array ? null : value
}

/** Sparkplug's bdSeq runs 0..255; some count on. What is no such number is not known. */
const sequenceOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x7fff_ffff ? value : null
