import type { Metric } from '@linewarden/sparkplug'
import { DataType, decodePayload, deviceTopic, edgeTopic, encodePayload, metric, stateTopic } from '@linewarden/sparkplug'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import type { Random } from './random.ts'

/** What an edge node says of itself and of its devices at birth. */
export interface Births {
  readonly node: readonly Metric[]
  readonly devices: readonly { readonly controllerId: string; readonly metrics: readonly Metric[] }[]
}

interface Edge {
  readonly number: string
  readonly secret: string
  readonly url: string
  readonly certificate?: string
  readonly groupId: string
  readonly hostId: string
  readonly now: () => number
  readonly random: Random
  readonly births: () => Births
  readonly onNodeCommand: (bytes: Buffer) => void
  readonly onDeviceCommand: (controllerId: string, bytes: Buffer) => void
  readonly onFirmware: (words: readonly string[], bytes: Buffer) => void
}

/** The connection of one Sparkplug edge node: will, births, sequence numbers, and coming back by itself. */
export class EdgeConnection {
  readonly #edge: Edge
  #client: MqttClient | null = null
  #bdSeq = -1
  #seq = 0
  #born = false
  #wanted = false
  #wakeBorn: (() => void)[] = []

  constructor(edge: Edge) {
    this.#edge = edge
  }

  get isBorn(): boolean {
    return this.#born
  }

  get bdSeq(): number {
    return this.#bdSeq
  }

  /** Connects; resolves when born. */
  connect(): Promise<void> {
    this.#wanted = true
    this.#open()
    return new Promise((resolve) => (this.#born ? resolve() : this.#wakeBorn.push(resolve)))
  }

  /** Says again all that it is and has, within the same session. */
  bearAgain(): void {
    if (this.#born) void this.#giveBirth().catch(() => {})
  }

  /** No goodbye: the broker sends the will. */
  cut(): void {
    this.#wanted = false
    this.#born = false
    this.#client?.stream.destroy()
    this.#client?.end(true)
    this.#client = null
  }

  /** Says goodbye properly: NDEATH, then disconnects. */
  async close(): Promise<void> {
    this.#wanted = false
    const client = this.#client
    this.#client = null
    if (!client) return
    if (this.#born) {
      this.#born = false
      await client.publishAsync(this.#topic('NDEATH'), Buffer.from(this.#death()), { qos: 1 }).catch(() => {})
    }
    await client.endAsync(true)
  }

  /** Data of a device; false when nobody said that it arrived. */
  publishDevice(controllerId: string, metrics: readonly Metric[]): Promise<boolean> {
    return this.#publish(deviceTopic(this.#edge.groupId, 'DDATA', this.#edge.number, controllerId), metrics)
  }

  /** Data of the node itself; false when nobody said that it arrived. */
  publishNode(metrics: readonly Metric[]): Promise<boolean> {
    return this.#publish(this.#topic('NDATA'), metrics)
  }

  /** A word about a firmware upgrade. Lost on the way, it is said again. */
  publishUpgrade(word: object): void {
    void this.#client
      ?.publishAsync(`linewarden/v1/${this.#edge.number}/upgrade`, JSON.stringify(word), { qos: 1 })
      .catch(() => {})
  }

  #open(): void {
    if (this.#client || !this.#wanted) return
    this.#bdSeq = (this.#bdSeq + 1) % 256
    const { url, certificate, number, secret, groupId, hostId, random } = this.#edge
    const client = mqtt.connect(url, {
      ...(certificate !== undefined && onlyThis(certificate)),
      clientId: `lw-${number}`,
      username: number,
      password: secret,
      clean: true,
      keepalive: 30,
      reconnectPeriod: 0,
      connectTimeout: 10_000,
      will: { topic: this.#topic('NDEATH'), payload: Buffer.from(this.#death()), qos: 1, retain: false },
    })
    this.#client = client
    client.on('error', () => {})
    client.on('message', (topic, payload) => this.#onMessage(topic, payload))
    client.on('connect', () => {
      const filters = [
        stateTopic(hostId),
        this.#topic('NCMD'),
        deviceTopic(groupId, 'DCMD', number, '+'),
        `linewarden/v1/${number}/firmware/#`,
      ]
      client
        .subscribeAsync(filters, { qos: 1 })
        .then(() => this.#giveBirth())
        .catch(() => client.end(true))
    })
    client.on('close', () => {
      if (this.#client !== client) return
      this.#client = null
      this.#born = false
      client.end(true)
      // A fleet does not come back all at once.
      if (this.#wanted) setTimeout(() => this.#open(), 300 + random() * 1_200)
    })
  }

  async #giveBirth(): Promise<void> {
    const { groupId, number, now } = this.#edge
    const client = this.#client
    if (!client) return
    const timestampMs = now()
    const { node, devices } = this.#edge.births()
    this.#seq = 0
    const birth = encodePayload({ timestampMs, seq: 0, metrics: [this.#bdSeqMetric(), ...node] })
    const sending = [client.publishAsync(this.#topic('NBIRTH'), Buffer.from(birth), { qos: 1 })]
    for (const { controllerId, metrics } of devices) {
      const payload = encodePayload({ timestampMs, seq: this.#nextSeq(), metrics })
      sending.push(client.publishAsync(deviceTopic(groupId, 'DBIRTH', number, controllerId), Buffer.from(payload), { qos: 1 }))
    }
    await Promise.all(sending)
    this.#born = true
    for (const wake of this.#wakeBorn.splice(0)) wake()
  }

  async #publish(topic: string, metrics: readonly Metric[]): Promise<boolean> {
    const client = this.#client
    if (!client) return false
    const payload = encodePayload({ timestampMs: this.#edge.now(), seq: this.#nextSeq(), metrics })
    return client.publishAsync(topic, Buffer.from(payload), { qos: 1 }).then(
      () => true,
      () => false,
    )
  }

  #onMessage(topic: string, bytes: Buffer): void {
    const [, , kind, word, controllerId = '', ...more] = topic.split('/')
    if (topic.startsWith('linewarden/')) {
      if (word === 'firmware') this.#edge.onFirmware([controllerId, ...more], bytes)
      return
    }
    if (kind === 'DCMD') this.#edge.onDeviceCommand(controllerId, bytes)
    if (kind !== 'NCMD') return
    const asked = decodePayload(bytes).metrics.some((each) => each.name === 'Node Control/Rebirth' && each.value === true)
    if (!asked) this.#edge.onNodeCommand(bytes)
    else this.bearAgain()
  }

  #death(): Uint8Array {
    return encodePayload({ timestampMs: this.#edge.now(), metrics: [this.#bdSeqMetric()] })
  }

  #bdSeqMetric(): Metric {
    return metric({ name: 'bdSeq', type: DataType.Int64, value: this.#bdSeq })
  }

  #topic(kind: 'NBIRTH' | 'NDATA' | 'NDEATH' | 'NCMD'): string {
    return edgeTopic(this.#edge.groupId, kind, this.#edge.number)
  }

  #nextSeq(): number {
    this.#seq = (this.#seq + 1) % 256
    return this.#seq
  }
}

/** Believes this certificate and no other: its name says nothing more. */
const onlyThis = (certificate: string) => ({
  ca: certificate,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})
