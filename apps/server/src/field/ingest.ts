import type { ingestStatus, Reply } from '@linewarden/contract'
import type { Reach } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import { tenantOfGateway } from '../audit/audited.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import { every } from '../lib/every.ts'
import { caught } from '../lib/faults.ts'
import { Mutex } from '../lib/serial.ts'
import type { Hub } from '../plant/hub.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../plant/plant.ts'
import { newLine, unheardDevice } from '../plant/plant.ts'
import { aboutGateway } from '../store/audit/subject.ts'
import type { Database } from '../store/core/database.ts'
import type { Batch, EventDraft, Quarantined } from '../store/ingest/batch.ts'
import type { DeviceBirth } from '../store/ingest/device-birth.ts'
import { registerDevice } from '../store/ingest/register.ts'
import { writeCheckpoint } from '../store/plant/latest.ts'
import { gatewaySecretHash } from '../store/site/site.ts'
import type { Certificate } from '../tls/certificate.ts'
import { AttemptLog } from './broker/attempt-log.ts'
import type { Arrival } from './broker/broker.ts'
import { startBroker } from './broker/broker.ts'
import type { GatewayPorts } from './broker/gateway-listeners.ts'
import { firmwareTopic, jsonTopic, refusedTopic } from './broker/topic-rights.ts'
import type { Aside } from './commit/aside-book.ts'
import { AsideBook } from './commit/aside-book.ts'
import { Pipeline } from './commit/pipeline.ts'
import { QuarantineBook } from './commit/quarantine-book.ts'
import { UnstoredTrips } from './commit/unstored-trips.ts'
import { newCounters } from './intake/counters.ts'
import { Intake } from './intake/intake.ts'
import type { JsonMessage } from './intake/json.ts'
import type { RefusedDevice } from './intake/session.ts'
import { commandMessage, intervalMessage, orderTopic, rebirthMessage } from './orders/command-wire.ts'
import type { IntervalCommand, OutgoingCommand } from './orders/outgoing.ts'
import type { UpgradeWord } from './orders/upgrade-word.ts'
import { readUpgradeWord } from './orders/upgrade-word.ts'
import { watchLinks } from './watch/link-watcher.ts'

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
  hearUpgrades(listener: (said: UpgradeWord) => void): () => void
  status(): Reply<typeof ingestStatus>
  /** Raises or returns an event that no report brought; it is stored and told with the next commit. */
  note(event: EventDraft): void
  /** A self-test of the line is on record: its alarm stands while the record or the equipment itself says that it failed. */
  testRecorded(line: PlantLine, at: number): void
  /** Whether the line's position was told since it was last out of sight. */
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

const checkpointEveryMs = 5_000
const attemptsEveryMs = 30_000

/** Starts the broker and the path from it into the database. Throws StartRefusal when the port is taken. */
export async function startIngest(options: {
  database: Database
  plant: Plant
  hub: Hub
  hostId: string
  mqttHost: string
  mqttPort: number | null
  mqttTls?: { readonly port: number } | null
  /** Of MQTT over TLS. */
  certificate?: Certificate | null
  rawDays: number
  /** Of gateways that were turned away. */
  refused: Pick<RefusedAttempts, 'note'>
  clock: () => number
  log: Logger
  /** How often silence is evaluated. */
  linksEveryMs?: number
}): Promise<Ingest> {
  const { database, plant, clock, log, linksEveryMs = 1_000 } = options
  const counters = newCounters()
  const asides = new AsideBook()
  const quarantine = new QuarantineBook({
    ...options,
    onAdded(refused, kept) {
      asides.note(refused)
      if (kept) tellRefused(refused)
    },
  })
  const pipeline = new Pipeline({ ...options, counters, quarantine, onRefused })
  const trips = new UnstoredTrips()
  // Silence counts from here: before, or while the database is away and gateways are held back, it says nothing.
  let evaluatedFrom = clock()
  let linksSaid = -1
  let closing = false
  const intake = new Intake({
    plant,
    counters,
    clock,
    batch: () => pipeline.batch(),
    register,
    setAside: (refused) => quarantine.add(refused),
    onFault: (error) => caught(log, 'mqtt', error),
    askRebirth(session) {
      if (session.group === null) return
      const { topic, payload, qos } = rebirthMessage(session, clock())
      broker.send(session.gateway.number, topic, payload, qos)
    },
  })
  const attempts = await AttemptLog.open(options)
  const broker = await startBroker(
    {
      endpoints: {
        host: options.mqttHost,
        plainPort: options.mqttPort,
        tlsPort: options.mqttTls?.port ?? null,
        certificate: options.certificate ?? null,
      },
      hostId: options.hostId,
      plant,
      clock,
      log,
      secretHash: (number) => gatewaySecretHash(database, number),
    },
    {
      // Stopping ends every connection, and wills come; that is no fault of the gateways.
      onArrival: (arrival) => {
        if (closing) arrival.done(new Error('the server is stopping'))
        else if (jsonTopic(arrival.topic)?.kind === 'upgrade') takeUpgradeWord(arrival)
        else intake.take(arrival)
      },
      onGone: (gateway) => {
        if (!closing) intake.gone(gateway)
      },
      onAttempt(attempt) {
        attempts.note(attempt)
        const { gateway, address } = attempt
        const about = gateway ? { subject: aboutGateway(gateway) } : null
        const tenant = gateway ? tenantOfGateway(gateway) : null
        const why = gateway ? 'gateway refused' : 'gateway unknown'
        if (attempt.refused === 'secret' || attempt.refused === 'mqtt5')
          options.refused.note({ action: 'gateway.refused', why, address, about, tenant })
      },
      onTakenOver: (gateway) => {
        if (!closing) intake.takenOver(gateway)
      },
      onRefused(refused) {
        counters.quarantined += 1
        void quarantine.add({ ...refused, at: clock() })
      },
    },
  )

  const watching = {
    plant,
    devices: intake.devices,
    isConnected: (number: string) => broker.isConnected(number),
    sessionOf: (gateway: PlantGateway) => {
      const { bornAt, edge, json } = intake.sessionOf(gateway)
      return { bornAt, isUnborn: (device: PlantDevice) => !json && edge.born && !edge.knows(device.wireId) }
    },
    invalidateStates: (device: PlantDevice) => intake.invalidateStates(device),
    batch: () => {
      const batch = pipeline.batch()
      linksSaid = batch.number
      return batch
    },
  }
  const upgradeListeners = new Set<(said: UpgradeWord) => void>()
  const registering = new Mutex()
  const notCheckpointed = 'the checkpoint of the latest values failed; it will be tried again'
  const checkpoints = every(checkpointEveryMs, checkpoint, { log, failed: notCheckpointed, level: 'warn' })
  const loops = [
    checkpoints,
    every(linksEveryMs, watch, { log }),
    every(attemptsEveryMs, () => Promise.all([attempts.write(), quarantine.writeCounts()]), { log }),
  ]

  return {
    port: broker.ports.plain ?? broker.ports.tls ?? 0,
    ports: broker.ports,
    reach,
    send(command) {
      const session = intake.sessionOf(command.gateway)
      if (!session.edge.born || !session.edge.knows(command.wireId)) return 'no_session'
      const { topic, payload, qos } = commandMessage(session, command)
      return broker.send(command.gateway.number, topic, payload, qos) ? 'sent' : 'no_session'
    },
    sendInterval(command) {
      const session = intake.sessionOf(command.gateway)
      if (!session.edge.born) return 'no_session'
      const { topic, payload, qos } = intervalMessage(session, command)
      return broker.send(command.gateway.number, topic, payload, qos) ? 'sent' : 'no_session'
    },
    attempts,
    isBorn: (gateway) => intake.sessionOf(gateway).edge.born && broker.isConnected(gateway.number),
    refusedDevices: (gateway) => [...intake.sessionOf(gateway).refused.values()],
    asidesOf: (gateway) => asides.of(gateway.number, clock()),
    isConnected: (gateway) => broker.isConnected(gateway.number),
    sendFirmware: (gateway, kind, payload) => broker.send(gateway.number, firmwareTopic(gateway.number, kind), payload, 1),
    hearUpgrades(listener) {
      upgradeListeners.add(listener)
      return () => upgradeListeners.delete(listener)
    },
    status: () => ({
      Messages: counters.messages,
      Readings: counters.readings,
      Quarantined: counters.quarantined,
      Duplicates: counters.duplicates,
      Rebirths: counters.rebirths,
      UnknownMetrics: [...counters.unknown.values()].map(({ name, family, count }) => ({
        Name: name,
        Family: family,
        Count: count,
      })),
      GatewaysOnline: [...plant.gateways.values()].filter((gateway) => gateway.link === 'online').length,
      Degraded: pipeline.degraded,
    }),
    note: (event) => void pipeline.batch().events.push(event),
    testRecorded: (line, at) => intake.testRecorded(line, at),
    hasValidPosition: intake.hasValidPosition,
    pushed: (gateway, messages, raw) => {
      gateway.lastMessageAt = clock()
      const taken = messages.map(
        (read) =>
          new Promise<void>((resolve, reject) => {
            const done = (error?: Error) => (error ? reject(error) : resolve())
            intake.take({ gateway, ...raw, redelivered: false, read, done })
          }),
      )
      return Promise.all(taken).then(() => {})
    },
    setAside(refused) {
      counters.quarantined += 1
      return quarantine.add({ ...refused, at: clock() })
    },
    disconnect: (number) => broker.disconnect(number),
    underCommit: () => pipeline.underCommit(),
    async drained() {
      await pipeline.drained()
      await quarantine.written()
    },
    async close() {
      closing = true
      const over = Promise.all(loops.map((each) => each.close()))
      await broker.close()
      await checkpoints.settled()
      await pipeline.settled()
      await checkpoint().catch((error) => log.warn({ err: error }, 'the last checkpoint failed'))
      await pipeline.close()
      await over
      await Promise.all([attempts.write(), quarantine.writeCounts()])
    },
  }

  function reach(gateway: PlantGateway, device: PlantDevice | null): Reach {
    const session = intake.sessionOf(gateway)
    const { edge, pushed } = session
    if (pushed) return 'push_only'
    const topic = orderTopic(session, device?.wireId ?? null)
    if (!broker.isConnected(gateway.number)) return 'not_connected'
    if (!edge.born) return 'not_born'
    if (!broker.isListening(gateway.number, topic)) return 'not_listening'
    if (device === null) return 'yes'
    if (!edge.knows(device.wireId)) return 'device_gone'
    return device.link === 'stale' ? 'device_silent' : 'yes'
  }

  /** Says to the equipment itself why something of it was not taken, where it listens for that. */
  function tellRefused({ number, topic, reason, detail }: Quarantined): void {
    if (number !== null) broker.send(number, refusedTopic(number), Buffer.from(JSON.stringify({ topic, reason, detail })), 0)
  }

  /** It says what a gateway wants or does, and is asked for again if it gets lost: it waits for no commit. */
  function takeUpgradeWord({ gateway, topic, payload, done }: Arrival): void {
    counters.messages += 1
    const said = readUpgradeWord(gateway, payload, clock())
    if (typeof said === 'string') {
      counters.quarantined += 1
      const kept = quarantine.add({ number: gateway.number, topic, reason: 'json', detail: said, payload, at: clock() })
      kept.then(() => done()).catch((error) => caught(log, 'mqtt', error))
      return
    }
    for (const listener of upgradeListeners) listener(said)
    done()
  }

  function onRefused(batch: Batch): void {
    intake.takeBack(batch)
    trips.keep(batch, clock())
  }

  /** Evaluates silence; not again before the commit of what it said last. */
  function watch(): void {
    const now = clock()
    if (pipeline.degraded) evaluatedFrom = now
    if (pipeline.degraded || pipeline.finished < linksSaid) return
    trips.tryAgain(() => pipeline.batch(), now)
    watchLinks(watching, evaluatedFrom, now)
  }

  /** New devices are rare: they are registered one after the other on a connection of their own, beside the commits. */
  async function register(gateway: PlantGateway, birth: DeviceBirth): Promise<PlantDevice | null> {
    const found = await registering.run(async () => {
      const client = await database.connect()
      return await registerDevice(client, gateway, birth).finally(() => client.end())
    })
    if (!found) return null
    const before = gateway.devices.get(birth.wireId)
    const { family, model } = birth
    const device =
      before ??
      unheardDevice({
        id: found.deviceId,
        gateway,
        wireId: birth.wireId,
        controllerId: found.controllerId,
        name: found.name,
        family,
        model,
      })
    device.family = birth.family
    device.model = birth.model
    device.reportingPeriodMs = birth.reportingPeriodMs
    if (!before) plant.addDevice(device)
    for (const { lineId, lineNo, name, ratedCurrentA } of found.lines) {
      const line = device.lines.get(lineNo)
      if (line) line.ratedCurrentA = ratedCurrentA
      else plant.addLine(newLine(lineId, device, lineNo, name, ratedCurrentA))
    }
    intake.recompileWatches(device)
    pipeline.batch().trees.add(gateway.project.id)
    return device
  }

  async function checkpoint(): Promise<void> {
    if (pipeline.degraded) return
    const covered = clock()
    const lines = pipeline.takeDirty()
    if (lines.length === 0) return
    try {
      const client = await database.connect()
      await writeCheckpoint(client, lines, covered).finally(() => client.end())
    } catch (error) {
      pipeline.stillDirty(lines)
      throw error
    }
  }
}
