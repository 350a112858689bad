import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import type { WireMetric, WirePayload } from './payload.ts'
import { decode, encode, Type } from './payload.ts'

export interface Received {
  readonly topic: string
  readonly kind: string
  readonly qos: number
  readonly retain: boolean
  /** Of an order; empty for STATE, which is text. */
  readonly payload: WirePayload
  readonly text: string
  /** When it came, Unix ms. */
  readonly at: number
}

/** What a breaker is born with; every metric has an alias, as the standard asks of an edge that uses them. */
export const breakerBirth: readonly WireMetric[] = [
  { name: 'info/model', datatype: Type.String, string_value: '3PN' },
  { name: '1/info/ratedCurrent', datatype: Type.Float, float_value: 63 },
  { name: '1/position', alias: 1, datatype: Type.Int32, int_value: 1 },
  { name: '1/trip.cause', alias: 2, datatype: Type.Int32, int_value: 0 },
  { name: '1/lock.local', alias: 3, datatype: Type.Int32, int_value: 0 },
  { name: '1/voltage.a', alias: 4, datatype: Type.Float, float_value: 230 },
  { name: '1/temperature.a', alias: 5, datatype: Type.Int16, int_value: 21 },
  { name: 'settings/1/leakage.trip', alias: 6, datatype: Type.Int32, int_value: 300 },
  { name: 'command/id', alias: 20, datatype: Type.String, string_value: '' },
  { name: 'command/line', alias: 21, datatype: Type.Int32, int_value: 0 },
  { name: 'command/action', alias: 22, datatype: Type.String, string_value: '' },
  { name: 'command/issuedAt', alias: 23, datatype: Type.DateTime, long_value: 0 },
  { name: 'command/deadline', alias: 24, datatype: Type.DateTime, long_value: 0 },
  { name: 'command/fence', alias: 25, datatype: Type.Int64, long_value: 0 },
  { name: 'command/bdSeq', alias: 26, datatype: Type.Int64, long_value: 0 },
  { name: 'command/result/id', alias: 30, datatype: Type.String, string_value: '' },
  { name: 'command/result/status', alias: 31, datatype: Type.String, string_value: '' },
  { name: 'command/result/reason', alias: 32, datatype: Type.String, string_value: '' },
]

/** An edge node to the letter of the standard: DATA at QoS 0, by alias alone, without data types. It knows nothing of our code. */
export class StandardEdge {
  readonly received: Received[] = []
  readonly number: string
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>
  readonly #client: MqttClient
  readonly #group: string
  #seq = 0
  readonly #bdSeq: number
  readonly #arrived: (() => void)[] = []

  private constructor(client: MqttClient, group: string, number: string, bdSeq: number) {
    this.#client = client
    this.#group = group
    this.number = number
    this.#bdSeq = bdSeq
    this.closed = new Promise((resolve) => client.once('close', () => resolve()))
    client.on('message', (topic, bytes, packet) => {
      const kind = topic.split('/')[2] ?? ''
      const payload = topic.includes('/STATE/') ? {} : decode(bytes)
      const { qos, retain } = packet
      this.received.push({ topic, kind, qos, retain, payload, text: bytes.toString(), at: Date.now() })
      for (const each of this.#arrived.splice(0)) each()
    })
  }

  /** Connects with its death as will and listens for orders at QoS 1, before it is born. */
  static async connect(
    port: number,
    number: string,
    secret: string,
    more: { group?: string; bdSeq?: number } = {},
  ): Promise<StandardEdge> {
    const { group = 'Plant 7', bdSeq = 0 } = more
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: number,
      password: secret,
      reconnectPeriod: 0,
      clean: true,
      will: { topic: `spBv1.0/${group}/NDEATH/${number}`, qos: 1, retain: false, payload: encode(death(bdSeq)) },
    })
    const edge = new StandardEdge(client, group, number, bdSeq)
    await client.subscribeAsync([`spBv1.0/${group}/NCMD/${number}`, `spBv1.0/${group}/DCMD/${number}/+`], { qos: 1 })
    return edge
  }

  /** NBIRTH, which starts the sequence anew. */
  async birth(metrics: readonly WireMetric[] = []): Promise<void> {
    this.#seq = 0
    const own: WireMetric[] = [
      { name: 'bdSeq', datatype: Type.Int64, long_value: this.#bdSeq },
      { name: 'Node Control/Rebirth', datatype: Type.Boolean, boolean_value: false },
      ...metrics,
    ]
    await this.#publish('NBIRTH', null, own, 1)
  }

  deviceBirth = (device: string, metrics: readonly WireMetric[] = breakerBirth) => this.#next('DBIRTH', device, metrics, 1)
  deviceDeath = (device: string) => this.#next('DDEATH', device, [], 1)
  /** As the standard sends it: QoS 0. */
  data = (device: string | null, metrics: readonly WireMetric[]) => this.#next(device ? 'DDATA' : 'NDATA', device, metrics, 0)
  /** Leaves a number of the sequence out. */
  skip(): void {
    this.#seq = (this.#seq + 1) % 256
  }
  /** Says NDEATH itself, as the standard asks of an edge that ends on purpose. */
  die = (bdSeq = this.#bdSeq) =>
    this.#client.publishAsync(`spBv1.0/${this.#group}/NDEATH/${this.number}`, encode(death(bdSeq)), { qos: 1 })

  listen = (topic: string, qos: 0 | 1 | 2) => this.#client.subscribeAsync(topic, { qos })
  publishRaw = (topic: string, bytes: Buffer) => this.#client.publishAsync(topic, bytes, { qos: 0 })
  /** The cable is pulled: no DISCONNECT. */
  destroy(): void {
    this.#client.stream.destroy()
  }
  end = () => this.#client.endAsync(true)

  /** The first message that came or comes and fits. */
  async one(fits: (each: Received) => boolean): Promise<Received> {
    for (;;) {
      const found = this.received.find(fits)
      if (found) return found
      await new Promise<void>((resolve) => this.#arrived.push(resolve))
    }
  }

  async #next(kind: string, device: string | null, metrics: readonly WireMetric[], qos: 0 | 1): Promise<void> {
    this.skip()
    await this.#publish(kind, device, metrics, qos)
  }

  async #publish(kind: string, device: string | null, metrics: readonly WireMetric[], qos: 0 | 1): Promise<void> {
    const topic = `spBv1.0/${this.#group}/${kind}/${this.number}${device ? `/${device}` : ''}`
    await this.#client.publishAsync(topic, encode({ timestamp: Date.now(), seq: this.#seq, metrics: [...metrics] }), { qos })
  }
}

const death = (bdSeq: number): WirePayload => ({
  timestamp: Date.now(),
  metrics: [{ name: 'bdSeq', datatype: Type.Int64, long_value: bdSeq }],
})
