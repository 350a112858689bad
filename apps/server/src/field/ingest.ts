import type { ingestStatus, Reply } from '@linewarden/contract'
import type { Reach } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Metric } from 'prom-client'
import { tenantOfGateway } from '../audit/audited.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import { Loop } from '../lib/every.ts'
import { caught } from '../lib/faults.ts'
import type { Hub } from '../plant/hub.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../plant/plant.ts'
import { aboutGateway } from '../store/audit/subject.ts'
import type { Database } from '../store/core/database.ts'
import type { Batch, EventDraft, Quarantined } from '../store/ingest/batch.ts'
import type { DeviceBirth } from '../store/ingest/device-birth.ts'
import { gatewaySecretHash } from '../store/site/site.ts'
import type { Certificate } from '../tls/certificate.ts'
import type { ConnectionAttempt } from './broker/attempt-log.ts'
import { AttemptLog } from './broker/attempt-log.ts'
import type { Arrival } from './broker/broker.ts'
import { Broker } from './broker/broker.ts'
import type { GatewayPorts } from './broker/gateway-listeners.ts'
import { jsonTopic } from './broker/topic-rights.ts'
import type { Aside } from './commit/aside-book.ts'
import { AsideBook } from './commit/aside-book.ts'
import { Checkpoint } from './commit/checkpoint.ts'
import { Pipeline } from './commit/pipeline.ts'
import { QuarantineBook } from './commit/quarantine-book.ts'
import { UnstoredTrips } from './commit/unstored-trips.ts'
import { FieldFigures } from './field-figures.ts'
import { newCounters } from './intake/counters.ts'
import { DeviceRegistry } from './intake/device-registry.ts'
import { Intake } from './intake/intake.ts'
import type { JsonMessage } from './intake/json.ts'
import type { RefusedDevice } from './intake/session.ts'
import { Downlink } from './orders/downlink.ts'
import type { IntervalCommand, OutgoingCommand } from './orders/outgoing.ts'
import type { UpgradeMessage } from './orders/upgrade-message.ts'
import { UpgradeMessages } from './orders/upgrade-messages.ts'
import type { Watching } from './watch/link-watcher.ts'
import { watchLinks } from './watch/link-watcher.ts'
import { PlatformWatch } from './watch/platform-watch.ts'

export interface Ingest {
  /** Where gateways connect: without TLS where that is open, else with it. */
  readonly port: number
  readonly ports: GatewayPorts
  /** Whether an order gets to the device now, or to the gateway itself: connected, born in its present session, and not silent. */
  reach(gateway: PlantGateway, device: PlantDevice | null): Reach
  /** Hands a command to the gateway's present connection, at once and only once; `no_session` when there is none. Nothing is queued. */
  send(command: OutgoingCommand): 'sent' | 'no_session'
  /** The same for an order to the gateway itself. */
  sendInterval(command: IntervalCommand): 'sent' | 'no_session'
  /** Who was turned away. */
  readonly attempts: AttemptLog
  isBorn(gateway: PlantGateway): boolean
  /** Devices behind it whose birth could not be taken. */
  refusedDevices(gateway: PlantGateway): readonly RefusedDevice[]
  /** What could not be taken of it in the last day, by reason. */
  asidesOf(gateway: PlantGateway): readonly Aside[]
  /** Whether it has a connection at this moment, born or not. */
  isConnected(gateway: PlantGateway): boolean
  /** Hands something about firmware to the gateway's present connection; false when there is none. */
  sendFirmware(gateway: PlantGateway, kind: string, payload: Uint8Array): boolean
  /** Tells what gateways say about their upgrades, until the returned function is called. */
  onUpgradeMessage(listener: (word: UpgradeMessage) => void): () => void
  status(): Reply<typeof ingestStatus>
  /** Its figures, for /metrics. */
  readonly metrics: readonly Metric[]
  /** Raises or returns an event that no report brought; it is stored and published with the next commit. */
  note(event: EventDraft): void
  /** A self-test of the line is on record: its alarm stands while the record or the equipment itself says that it failed. */
  testRecorded(line: PlantLine, at: number): void
  /** After somebody tuned alarms of these lines: the next value is evaluated so. */
  retune(lines: readonly PlantLine[]): void
  /** Whether the line's position was reported since it was last invalidated. */
  hasValidPosition(line: PlantLine): boolean
  /** Ends the gateway's connection, after its secret or rights changed. */
  disconnect(number: string): void
  /** Takes what a platform pushed for a gateway, as if the gateway had said it itself. Resolves once it is committed. */
  pushed(gateway: PlantGateway, messages: readonly JsonMessage[], raw: { topic: string; payload: Buffer }): Promise<void>
  /** Keeps aside what belongs to no gateway. Resolves once that is committed. */
  setAside(refused: { number: string | null; topic: string; payload: Uint8Array; reason: string; detail: string }): Promise<void>
  /** Resolves when the transaction that is under way is over: what is written from then on is as the plant is now. */
  underCommit(): Promise<void>
  /** Resolves when everything received so far is committed. */
  drained(): Promise<void>
  close(): Promise<void>
}

const attemptsEveryMs = 30_000
const notingEveryMs = 1_000

interface Options {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly hostId: string
  readonly mqttHost: string
  readonly mqttPort: number | null
  readonly mqttTls?: { readonly port: number } | null
  /** Of MQTT over TLS. */
  readonly certificate?: Certificate | null
  readonly rawDays: number
  /** Of gateways that were turned away. */
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly clock: () => number
  readonly log: Logger
  /** Ms by a clock that no step moves. */
  readonly monotonic?: () => number
  /** How often silence is evaluated. */
  readonly linksEveryMs?: number
}

/** Starts the broker and the path from it into the database. Throws StartRefusal when the port is taken. */
export async function startIngest(options: Options): Promise<Ingest> {
  const ingest = new FieldIngest(options, await AttemptLog.open(options))
  await ingest.start()
  return ingest
}

/** From the broker through intake into the pipeline, and orders the other way. */
class FieldIngest implements Ingest {
  readonly attempts: AttemptLog
  readonly #options: Options
  readonly #counters = newCounters()
  readonly #asides = new AsideBook()
  readonly #trips = new UnstoredTrips()
  readonly #figures: FieldFigures
  readonly #quarantine: QuarantineBook
  readonly #pipeline: Pipeline
  readonly #intake: Intake
  readonly #registry: DeviceRegistry
  readonly #broker: Broker
  readonly #downlink: Downlink
  readonly #upgrades: UpgradeMessages
  readonly #watching: Watching
  readonly #checkpoint: Checkpoint
  readonly #loops: readonly Loop[]
  readonly #platform: PlatformWatch
  readonly #noting: Loop
  /** Number of the batch that holds what the last look at links found. */
  #linksNoted = -1
  #closing = false

  constructor(options: Options, attempts: AttemptLog) {
    const { database, plant, clock, log, linksEveryMs = 1_000, monotonic = () => performance.now() } = options
    this.#options = options
    this.attempts = attempts
    this.#figures = new FieldFigures({
      ...{ counters: this.#counters, plant },
      ...{ degraded: () => this.#pipeline.degraded, waiting: () => this.#pipeline.waiting },
    })
    this.#quarantine = new QuarantineBook({ ...options, onAdded: (refused, kept) => this.#wasSetAside(refused, kept) })
    this.#pipeline = new Pipeline({
      ...{ ...options, monotonic },
      counters: this.#counters,
      quarantine: this.#quarantine,
      onRefused: (batch) => this.#takeBack(batch),
      onCommitted: (readings, ms) => this.#figures.committed(readings, ms),
    })
    this.#platform = new PlatformWatch(database, clock())
    this.#registry = new DeviceRegistry(database, plant)
    this.#intake = new Intake({
      counters: this.#counters,
      clock,
      batch: () => this.#pipeline.batch(),
      register: (gateway, birth) => this.#register(gateway, birth),
      setAside: (refused) => this.#quarantine.add(refused),
      onFault: (error) => caught(log, 'mqtt', error),
      askRebirth: (session) => this.#downlink.rebirth(session, clock()),
    })
    this.#upgrades = new UpgradeMessages({ counters: this.#counters, quarantine: this.#quarantine, clock, log })
    this.#broker = this.#newBroker()
    this.#downlink = new Downlink(this.#broker, (gateway) => this.#intake.sessionOf(gateway))
    this.#watching = {
      plant,
      devices: this.#intake.devices,
      isConnected: (number) => this.#broker.isConnected(number),
      sessionOf: (gateway) => {
        const { bornAt, edge, json } = this.#intake.sessionOf(gateway)
        return { bornAt, isUnborn: (device) => !json && edge.born && !edge.knows(device.wireId) }
      },
      invalidateStates: (device) => this.#intake.invalidateStates(device),
      silentFrom: (at, now) => this.#pipeline.lateCommits.silentFrom(at, now),
      batch: () => {
        const batch = this.#pipeline.batch()
        this.#linksNoted = batch.number
        return batch
      },
    }
    this.#checkpoint = new Checkpoint({ database, pipeline: this.#pipeline, clock, log })
    this.#noting = new Loop(notingEveryMs, () => this.#platform.note(), {
      ...{ log, level: 'warn', failed: 'an interruption of the platform is not noted in every project yet: it is tried again' },
    })
    this.#loops = [
      this.#noting,
      new Loop(linksEveryMs, () => this.#watch(), { log }),
      new Loop(attemptsEveryMs, () => this.#writeCounts(), { log }),
    ]
  }

  async start(): Promise<void> {
    await this.#noting.tick()
    await this.#broker.listen()
    this.#checkpoint.start()
    for (const loop of this.#loops) loop.start()
  }

  get port(): number {
    return this.ports.plain ?? this.ports.tls ?? 0
  }

  get ports(): GatewayPorts {
    return this.#broker.ports
  }

  reach(gateway: PlantGateway, device: PlantDevice | null): Reach {
    return this.#downlink.reach(gateway, device)
  }

  send(command: OutgoingCommand): 'sent' | 'no_session' {
    return this.#downlink.command(command)
  }

  sendInterval(command: IntervalCommand): 'sent' | 'no_session' {
    return this.#downlink.interval(command)
  }

  get metrics(): readonly Metric[] {
    return this.#figures.metrics
  }

  readonly isBorn = (gateway: PlantGateway): boolean =>
    this.#intake.sessionOf(gateway).edge.born && this.#broker.isConnected(gateway.number)

  refusedDevices(gateway: PlantGateway): readonly RefusedDevice[] {
    return [...this.#intake.sessionOf(gateway).refused.values()]
  }

  asidesOf(gateway: PlantGateway): readonly Aside[] {
    return this.#asides.of(gateway.number, this.#options.clock())
  }

  isConnected(gateway: PlantGateway): boolean {
    return this.#broker.isConnected(gateway.number)
  }

  sendFirmware(gateway: PlantGateway, kind: string, payload: Uint8Array): boolean {
    return this.#downlink.firmware(gateway, kind, payload)
  }

  onUpgradeMessage(listener: (word: UpgradeMessage) => void): () => void {
    return this.#upgrades.subscribe(listener)
  }

  status(): Reply<typeof ingestStatus> {
    const { messages, readings, quarantined, duplicates, rebirths, unknown } = this.#counters
    return {
      Messages: messages,
      Readings: readings,
      Quarantined: quarantined,
      Duplicates: duplicates,
      Rebirths: rebirths,
      UnknownMetrics: [...unknown.values()].map(({ name, family, count }) => ({ Name: name, Family: family, Count: count })),
      GatewaysOnline: [...this.#options.plant.gateways.values()].filter((gateway) => gateway.link === 'online').length,
      Degraded: this.#pipeline.degraded,
    }
  }

  readonly note = (event: EventDraft): void => void this.#pipeline.batch().events.push(event)

  testRecorded(line: PlantLine, at: number): void {
    this.#intake.testRecorded(line, at)
  }

  hasValidPosition(line: PlantLine): boolean {
    return this.#intake.hasValidPosition(line)
  }

  retune(lines: readonly PlantLine[]): void {
    this.#intake.recompileWatches(lines)
  }

  disconnect(number: string): void {
    this.#broker.disconnect(number)
  }

  async pushed(gateway: PlantGateway, messages: readonly JsonMessage[], raw: { topic: string; payload: Buffer }): Promise<void> {
    gateway.lastMessageAt = this.#options.clock()
    const taken = messages.map(
      (read) =>
        new Promise<void>((resolve, reject) => {
          const done = (error?: Error) => (error ? reject(error) : resolve())
          this.#intake.take({ gateway, ...raw, redelivered: false, read, done })
        }),
    )
    await Promise.all(taken)
  }

  setAside(refused: Omit<Quarantined, 'at'>): Promise<void> {
    this.#counters.quarantined += 1
    return this.#quarantine.add({ ...refused, at: this.#options.clock() })
  }

  underCommit(): Promise<void> {
    return this.#pipeline.underCommit()
  }

  async drained(): Promise<void> {
    await this.#pipeline.drained()
    await this.#quarantine.written()
  }

  async close(): Promise<void> {
    this.#closing = true
    const over = Promise.all(this.#loops.map((each) => each.close()))
    const stopped = this.#checkpoint.stop()
    await this.#broker.close()
    await stopped
    await this.#pipeline.settled()
    await this.#checkpoint.writeLast()
    await this.#pipeline.close()
    await this.#registry.close()
    await over
    await this.#writeCounts()
  }

  #newBroker(): Broker {
    const { database, plant, clock, log, hostId, mqttHost: host, mqttPort, mqttTls, certificate = null } = this.#options
    const endpoints = { host, plainPort: mqttPort, tlsPort: mqttTls?.port ?? null, certificate }
    const secretHash = (number: string) => gatewaySecretHash(database, number)
    return new Broker(
      { endpoints, hostId, plant, clock, log, secretHash },
      {
        onArrival: (arrival) => this.#arrived(arrival),
        // Stopping ends every connection, and wills come; that is no fault of the gateways.
        onGone: (gateway) => {
          if (!this.#closing) this.#intake.gone(gateway)
        },
        onTakenOver: (gateway) => {
          if (!this.#closing) this.#intake.takenOver(gateway)
        },
        onAttempt: (attempt) => this.#attempted(attempt),
        onRefused: (refused) => void this.setAside(refused),
      },
    )
  }

  #arrived(arrival: Arrival): void {
    if (this.#closing) arrival.done(new Error('the server is stopping'))
    else if (jsonTopic(arrival.topic)?.kind === 'upgrade') this.#upgrades.take(arrival)
    else this.#intake.take(arrival)
  }

  #attempted(attempt: ConnectionAttempt): void {
    this.attempts.note(attempt)
    const { gateway, address, refused } = attempt
    if (refused !== 'secret' && refused !== 'mqtt5') return
    const about = gateway ? { subject: aboutGateway(gateway) } : null
    const tenant = gateway ? tenantOfGateway(gateway) : null
    const why = gateway ? 'gateway refused' : 'gateway unknown'
    this.#options.refused.note({ action: 'gateway.refused', why, address, about, tenant })
  }

  #wasSetAside(refused: Quarantined, kept: boolean): void {
    this.#asides.note(refused)
    this.#figures.setAside(refused.reason)
    const { number, topic, reason, detail } = refused
    if (kept && number !== null) this.#downlink.refused(number, { topic, reason, detail })
  }

  /** After a commit that left some of the batch out. */
  #takeBack(batch: Batch): void {
    this.#intake.takeBack(batch)
    this.#trips.keep(batch, this.#options.clock())
  }

  async #register(gateway: PlantGateway, birth: DeviceBirth): Promise<PlantDevice | null> {
    const device = await this.#registry.register(gateway, birth)
    if (!device) return null
    this.#intake.recompileWatches(device.lines.values())
    this.#pipeline.batch().trees.add(gateway.project.id)
    return device
  }

  /** Evaluates silence; not again before the commit of what it reported last. */
  #watch(): void {
    const now = this.#options.clock()
    const pipeline = this.#pipeline
    const from = this.#platform.silenceFrom(pipeline.degraded, now)
    if (from === null || pipeline.finished < this.#linksNoted) return
    this.#trips.tryAgain(() => pipeline.batch(), now)
    watchLinks(this.#watching, from, now)
  }

  async #writeCounts(): Promise<void> {
    await Promise.all([this.attempts.write(), this.#quarantine.writeCounts()])
  }
}
