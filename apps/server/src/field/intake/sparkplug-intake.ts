import { wire } from '@linewarden/equipment'
import type { Payload, Topic } from '@linewarden/sparkplug'
import { DataReader, DataType, decodePayload, EntryKind, integerAs, valueAs } from '@linewarden/sparkplug'
import { storableText } from '../../lib/storable-text.ts'
import type { Arrival } from '../broker/broker.ts'
import type { NamedValue } from './birth.ts'
import type { Births } from './births.ts'
import type { Counters } from './counters.ts'
import type { MessageTaker } from './message-taker.ts'
import type { Presence } from './presence.ts'
import type { GatewaySession } from './session.ts'
import { announce, beginBirth, nodeTargetOf } from './session.ts'
import type { Moment } from './take.ts'

type EdgeTopic = Exclude<Topic, { readonly kind: 'STATE' }>

/** Whoever sends what was kept, and does not mark it, or falls silent again and again, is asked no more often. */
const askForStatesEveryMs = 60_000

interface Options {
  readonly taker: MessageTaker
  readonly presence: Presence
  readonly births: Births
  readonly counters: Counters
  readonly clock: () => number
  readonly askRebirth: (session: GatewaySession) => void
}

/** What Sparkplug edge nodes say: their sessions, their births, and their data by alias or by name. */
export class SparkplugIntake {
  readonly #taker: MessageTaker
  readonly #presence: Presence
  readonly #births: Births
  readonly #counters: Counters
  readonly #clock: () => number
  readonly #requestRebirth: (session: GatewaySession) => void
  readonly #reader = new DataReader()

  constructor({ taker, presence, births, counters, clock, askRebirth }: Options) {
    this.#taker = taker
    this.#presence = presence
    this.#births = births
    this.#counters = counters
    this.#clock = clock
    this.#requestRebirth = askRebirth
  }

  /** Null when it is done; a promise while a device is registered. Throws DecodeError. */
  take(session: GatewaySession, arrival: Arrival, topic: Topic): Promise<void> | null {
    if (topic.kind === 'STATE') return null
    const now = this.#clock()
    if (!this.#isOfGroup(session, arrival, topic.group, topic.kind)) return null
    const birth = this.#read(session, arrival, topic, now)
    // From its next birth on what it says by such a clock counts again, and what it had to say while it was silent is known.
    if ((this.#taker.clockSetBack || session.lacksStates) && session.statesAskedAt + askForStatesEveryMs <= now) {
      session.statesAskedAt = now
      session.lacksStates = false
      this.#askRebirth(session, now)
    }
    return birth
  }

  #read(session: GatewaySession, arrival: Arrival, topic: EdgeTopic, now: number): Promise<void> | null {
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
        if (session.edge.death(bdSeq)) this.#presence.offline(session.gateway, 'death')
        return null
      }
      case 'DBIRTH':
        if (!this.#inSequence(session, arrival, payload.seq)) return null
        return this.#births.device(session, arrival, topic.device, namedValues(payload, now))
      case 'DDEATH':
        if (this.#inSequence(session, arrival, payload.seq)) this.#presence.deviceDied(session, topic.device)
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
    this.#presence.missed(session.gateway)
    return false
  }

  #nodeBirth(session: GatewaySession, arrival: Arrival, group: string, payload: Payload, now: number): void {
    const bdSeq = sequenceOf(payload.metrics.find((each) => each.name === 'bdSeq')?.value)
    const restarted = !session.edge.born || session.edge.bdSeq !== bdSeq
    if (session.edge.birth(payload.seq, bdSeq) !== 'ok') {
      this.#taker.quarantine(arrival, 'birth_seq', 'a birth must carry sequence number 0')
      this.#presence.missed(session.gateway)
      this.#askRebirth(session, now)
      return
    }
    session.group = group
    session.json = false
    session.pushed = false
    beginBirth(session, null)
    const values = namedValues(payload, now)
    for (const each of values) announce(session, null, each, nodeTargetOf(each.name))
    this.#births.gateway(session, arrival, values, { bdSeq, restarted, now })
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
      const raw = reader.value[i] ?? Number.NaN
      const value = kind === EntryKind.integer ? integerAs(raw, metric.type) : raw
      if (target.of === 'point' && kind !== EntryKind.boolean) this.#taker.putValue(arrival, target, value, when)
      else {
        const isBoolean = kind === EntryKind.boolean || (kind === EntryKind.integer && metric.type === DataType.Boolean)
        const plain = kind === EntryKind.null ? null : isBoolean ? value !== 0 : value
        this.#taker.put(session, arrival, target, plain, when)
      }
    }
    this.#taker.evaluateTouched()
    if (reader.count === 0 || live) this.#reported(session, device, now)
    if (lost) this.#unknownAlias(session, arrival, now)
  }

  #reported(session: GatewaySession, device: string, now: number): void {
    if (this.#presence.reported(session.gateway.devices.get(device), now)) session.lacksStates = true
  }

  #unknownAlias(session: GatewaySession, arrival: Arrival, now: number): void {
    this.#taker.quarantine(arrival, 'unknown_alias', 'an alias was not announced at birth')
    this.#presence.missed(session.gateway)
    this.#askRebirth(session, now)
  }

  #slowData(session: GatewaySession, arrival: Arrival, device: string | null, payload: Payload, now: number): void {
    if (!this.#inSequence(session, arrival, payload.seq)) return
    if (device !== null && !this.#isBorn(session, arrival, device, now)) return
    const plantDevice = device === null ? null : (session.gateway.devices.get(device) ?? null)
    const announced = session.metrics.get(device)
    const named: NamedValue[] = []
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
      const target = metric?.target ?? (plantDevice ? this.#taker.targetOf(plantDevice, name) : nodeTargetOf(name))
      named.push({ name, alias: each.alias, type: each.type, value, at, historical })
      this.#taker.put(session, arrival, target, value, { at, receivedAt: now, historical })
    }
    this.#taker.evaluateTouched()
    if (device !== null && !named.every(({ historical }) => historical)) this.#reported(session, device, now)
    this.#taker.finishResult(session, named, now)
    // The gateway read back how often it reports; the link row carries it.
    const period = device === null ? named.find(({ name }) => name === wire.info.reportingPeriod) : undefined
    const periodMs = period && !period.historical ? this.#births.period(session.gateway, period.value, now) : null
    if (periodMs !== null) this.#presence.online(session.gateway, now, session.edge.bdSeq, periodMs)
  }

  #inSequence(session: GatewaySession, arrival: Arrival, seq: number | null): boolean {
    const now = this.#clock()
    const verdict = session.edge.next(seq, arrival.redelivered)
    if (verdict === 'ok') return true
    if (verdict === 'duplicate') {
      this.#counters.duplicates += 1
      return true
    }
    if (verdict === 'seq_gap') {
      // Something was lost on the way; what is here can still be read, and the births will come again.
      this.#presence.missed(session.gateway)
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
    this.#presence.missed(session.gateway)
    this.#askRebirth(session, now)
  }

  #askRebirth(session: GatewaySession, now: number): void {
    if (session.json || !session.edge.askRebirth(now)) return
    this.#counters.rebirths += 1
    this.#requestRebirth(session)
  }
}

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
