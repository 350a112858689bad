import { aboutNothing } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { sql } from 'kysely'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import { pino } from 'pino'
import type { Committed } from '../plant/hub.ts'
import { Hub } from '../plant/hub.ts'
import type { Plant, PlantLine } from '../plant/plant.ts'
import type { Database } from '../store/core/database.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { loadPlant } from '../store/plant/plant.ts'
import { hashSecret } from '../store/site/gateway-secret.ts'
import { enrolGateway, findOrCreateGroup, findOrCreateProject } from '../store/site/site.ts'
import type { Ingest } from './ingest.ts'
import { startIngest } from './ingest.ts'

const secretOf = (number: string): string => `secret-of-${number}`
export const group = 'plant'

const enrolled = (target: string) =>
  ({ at: 0, actor: 'system', address: '', action: 'gateway.enrol', subject: aboutNothing, target, outcome: 'done' }) as const

/** The longest a timer waits. */
const neverMs = 2 ** 31 - 1

interface Options {
  /** How often silence is evaluated; never by itself unless a test is about it: between a step of time and its message all would be silent. */
  readonly linksEveryMs?: number
  readonly monotonic?: () => number
}

/** Ingest on a real database and a real broker, with gateways G1 and G2 enrolled, under a clock that only tests move. */
export class TestIngest {
  /** Unix ms. */
  now = Date.UTC(2026, 0, 15, 8, 30)
  /** How often anybody has asked for the time: with nothing arriving, only timers do. */
  clockReads = 0
  /** Everything the hub has published, in order. */
  readonly committed: Committed[] = []
  readonly database: Database
  #options: Options
  readonly #drop: () => Promise<void>
  readonly #edges: TestEdge[] = []
  #running: { readonly plant: Plant; readonly ingest: Ingest; readonly hub: Hub } | null = null

  private constructor({ database, drop }: TestDatabase, options: Options) {
    this.database = database
    this.#options = options
    this.#drop = drop
  }

  static async start(options: Options = {}): Promise<TestIngest> {
    const made = new TestIngest(await testDatabase(), options)
    const { database } = made
    const cityId = await findOrCreateGroup(database, 'Group')
    const projectId = await findOrCreateProject(database, { cityId, name: 'Site', timeZone: 'Asia/Shanghai', standard: 'GB' })
    for (const number of ['G1', 'G2'])
      await enrolGateway(
        database,
        { projectId, number, name: number, reportingPeriodMs: 10_000 },
        hashSecret(secretOf(number)),
        enrolled(number),
      )
    await made.#run()
    return made
  }

  get plant(): Plant {
    return this.#now.plant
  }

  get ingest(): Ingest {
    return this.#now.ingest
  }

  /** Line 1 of a gateway's breaker, as the house knows it. */
  line(number = 'G1'): PlantLine {
    const line = this.plant.lineAt(`C-${number}`, 1)
    if (!line) throw new Error(`C-${number} has not been born`)
    return line
  }

  /** The newest live value of a point of that line; null is missing. */
  value(key: string, number = 'G1'): number | null {
    const line = this.line(number)
    const slot = line.device.family.points.find((point) => point.key === key)?.slot ?? -1
    const value = line.values[slot] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }

  /** Rows of a query. */
  async rows<R extends object>(query: string): Promise<R[]> {
    return (await sql.raw<R>(query).execute(this.database.general)).rows
  }

  /** `key state` of every event of a kind, oldest first; journal entries left out. */
  async alarms(): Promise<string[]> {
    const rows = await this.rows<{ key: string; state: string }>(
      "select key, state from event where kind <> 'journal' order by event_id",
    )
    return rows.map(({ key, state }) => `${key} ${state}`)
  }

  /** Reasons in quarantine, oldest first. */
  async quarantined(): Promise<string[]> {
    const rows = await this.rows<{ reason: string }>('select reason from quarantine order by quarantine_id')
    return rows.map(({ reason }) => reason)
  }

  /** A connected Sparkplug gateway, not yet born. */
  async edge(number = 'G1'): Promise<TestEdge> {
    const edge = await TestEdge.connect(this, number)
    this.#edges.push(edge)
    return edge
  }

  /** Stops ingest cleanly and starts it again on the same database; from now on with these options. */
  async restart(options = this.#options): Promise<void> {
    this.#options = options
    await this.ingest.close()
    await this.#run()
  }

  async close(): Promise<void> {
    for (const edge of this.#edges) edge.client.end(true)
    await this.ingest.close()
    await this.#drop()
  }

  get hub(): Hub {
    return this.#now.hub
  }

  get #now(): { readonly plant: Plant; readonly ingest: Ingest; readonly hub: Hub } {
    if (!this.#running) throw new Error('ingest is not running')
    return this.#running
  }

  async #run(): Promise<void> {
    const { database } = this
    const plant = await loadPlant(database)
    const hub = new Hub((error) => {
      throw error
    })
    hub.subscribe((each) => this.committed.push(each))
    const ingest = await startIngest({
      database,
      plant,
      hub,
      hostId: 'linewarden',
      mqttHost: '127.0.0.1',
      mqttPort: 0,
      rawDays: 90,
      refused: { note() {} },
      clock: () => {
        this.clockReads += 1
        return this.now
      },
      log: pino({ level: 'silent' }),
      linksEveryMs: neverMs,
      ...this.#options,
    })
    this.#running = { plant, ingest, hub }
  }
}

export interface Sample {
  /** Values of line 1 by point key. */
  readonly values?: Readonly<Record<string, number | null>>
  /** State codes of line 1 by state key. */
  readonly states?: Readonly<Record<string, number>>
  /** Device time; default: the clock's. */
  readonly at?: number
  readonly historical?: boolean
  /** Skips this many sequence numbers first. */
  readonly skip?: number
}

const breaker = familyOf('breaker3p') ?? { points: [], states: [] }

/** A Sparkplug gateway with one three-phase breaker `C-{number}` and its line 1. */
export class TestEdge {
  readonly client: MqttClient
  readonly number: string
  readonly device: string
  /** Metric names of every NCMD and DCMD received. */
  readonly received: { topic: string; payload: Buffer }[] = []
  readonly #test: TestIngest
  seq = 0
  bdSeq = 0

  private constructor(test: TestIngest, number: string, client: MqttClient) {
    this.#test = test
    this.number = number
    this.device = `C-${number}`
    this.client = client
    client.on('message', (topic, payload) => this.received.push({ topic, payload }))
  }

  static async connect(test: TestIngest, number: string): Promise<TestEdge> {
    const client = await connect(test, number, secretOf(number))
    const edge = new TestEdge(test, number, client)
    await client.subscribeAsync([edgeTopic(group, 'NCMD', number), deviceTopic(group, 'DCMD', number, '+')], { qos: 1 })
    return edge
  }

  publish(
    topic: string,
    payload: Uint8Array | string,
    options: { qos?: 0 | 1 | 2; dup?: boolean; retain?: boolean } = {},
  ): Promise<unknown> {
    return this.client.publishAsync(topic, typeof payload === 'string' ? payload : Buffer.from(payload), { qos: 1, ...options })
  }

  /** NBIRTH alone, with metrics of the test's choice added or replaced. */
  async nodeBirth(more: readonly Metric[] = []): Promise<void> {
    this.seq = 0
    const metrics = [
      metric({ name: 'bdSeq', type: DataType.Int64, value: this.bdSeq }),
      metric({ name: 'info/reportingPeriod', type: DataType.Float, value: 10 }),
      metric({ name: 'info/clockSynchronised', type: DataType.Boolean, value: true }),
    ].filter((each) => more.every((other) => other.name !== each.name))
    const payload = encodePayload({ timestampMs: this.#test.now, seq: 0, metrics: [...metrics, ...more] })
    await this.publish(edgeTopic(group, 'NBIRTH', this.number), payload)
  }

  /** NBIRTH and DBIRTH; the line starts closed, with these values. */
  async birth(sample: Sample = {}): Promise<void> {
    await this.nodeBirth()
    await this.deviceBirth(this.device, sample)
  }

  async deviceBirth(device: string, sample: Sample = {}, more: readonly Metric[] = []): Promise<void> {
    const text = (name: string, value: string) => metric({ name, type: DataType.String, value })
    const metrics = [
      text('info/model', '3P'),
      text('info/name', 'Board'),
      text('1/info/name', 'Lift'),
      metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 63 }),
      metric({ name: 'settings/1/leakage.trip', alias: settingAlias, type: DataType.Float, value: 300 }),
      ...breaker.points.map(({ key }, i) =>
        metric({ name: `1/${key}`, alias: pointAlias + i, type: DataType.Float, value: sample.values?.[key] ?? null }),
      ),
      ...breaker.states.map(({ key }, i) =>
        metric({
          name: `1/${key}`,
          alias: stateAlias + i,
          type: DataType.Int32,
          value: sample.states?.[key] ?? (key === 'position' ? 1 : 0),
        }),
      ),
    ].filter((each) => more.every((other) => other.name !== each.name))
    const payload = encodePayload({
      timestampMs: sample.at ?? this.#test.now,
      seq: this.nextSeq(),
      metrics: [...metrics, ...more],
    })
    await this.publish(deviceTopic(group, 'DBIRTH', this.number, device), payload)
  }

  /** DDATA by alias; resolves when acknowledged. */
  data(sample: Sample): Promise<unknown> {
    return this.publish(this.dataTopic, this.dataBytes(sample))
  }

  /** Reports another leakage trip level, in mA. */
  setting(leakageTripMa: number, { historical = false } = {}): Promise<unknown> {
    const metrics = [metric({ alias: settingAlias, type: DataType.Float, value: leakageTripMa, isHistorical: historical })]
    return this.publish(this.dataTopic, encodePayload({ timestampMs: this.#test.now, seq: this.nextSeq(), metrics }))
  }

  get dataTopic(): string {
    return deviceTopic(group, 'DDATA', this.number, this.device)
  }

  dataBytes({ values = {}, states = {}, at, historical = false, skip = 0 }: Sample): Uint8Array {
    for (let i = 0; i < skip; i++) this.nextSeq()
    const more = { timestampMs: at ?? this.#test.now, isHistorical: historical }
    const metrics = [
      ...Object.entries(values).map(([key, value]) => {
        const alias = pointAlias + breaker.points.findIndex((point) => point.key === key)
        return metric({ alias, type: DataType.Float, value, ...more })
      }),
      ...Object.entries(states).map(([key, value]) => {
        const alias = stateAlias + breaker.states.findIndex((state) => state.key === key)
        return metric({ alias, type: DataType.Int32, value, ...more })
      }),
    ]
    return encodePayload({ timestampMs: this.#test.now, seq: this.nextSeq(), metrics })
  }

  async death(bdSeq = this.bdSeq): Promise<void> {
    const metrics = [metric({ name: 'bdSeq', type: DataType.Int64, value: bdSeq })]
    await this.publish(edgeTopic(group, 'NDEATH', this.number), encodePayload({ timestampMs: this.#test.now, metrics }))
  }

  nextSeq(): number {
    this.seq = (this.seq + 1) % 256
    return this.seq
  }
}

const pointAlias = 10
const stateAlias = 40
const settingAlias = 60

/** A connection as a gateway makes it; rejects when the broker refuses, or gives no answer. */
export async function connect(test: TestIngest, username: string, password: string): Promise<MqttClient> {
  return mqtt.connectAsync(
    `mqtt://127.0.0.1:${test.ingest.port}`,
    {
      username,
      password,
      clientId: `test-${username}-${Math.trunc(performance.now() * 1000)}`,
      reconnectPeriod: 0,
      clean: true,
    },
    false,
  )
}
