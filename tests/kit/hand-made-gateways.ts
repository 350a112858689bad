import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import type { Stack } from './stack.ts'

/** When a value was measured, Unix ms, and whether it was kept meanwhile. */
interface Kept {
  readonly at?: number
  readonly historical?: boolean
}

/** Gateways of one project whose every message is made by hand. */
export class HandMadeGateways {
  readonly #stack: Stack
  readonly #projectId: number
  readonly #now: () => number
  readonly #open: MqttClient[] = []

  constructor(stack: Stack, project: string, now: () => number = Date.now) {
    this.#stack = stack
    this.#projectId = [...stack.server.plant.projects.values()].find(({ name }) => name === project)?.id ?? 0
    this.#now = now
  }

  /** Its secret. */
  enrol(number: string): Promise<string> {
    return this.#stack.server.site.enrolGateway({ projectId: this.#projectId, number, name: number, reportingPeriodMs: 1_000 })
  }

  /** Rejects when the broker refuses the connection. */
  async connect(number: string, secret: string, more: mqtt.IClientOptions = {}): Promise<MqttClient> {
    const client = mqtt.connect(`mqtt://127.0.0.1:${this.#stack.server.mqttPort}`, {
      username: number,
      password: secret,
      reconnectPeriod: 0,
      ...more,
    })
    this.#open.push(client)
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve())
      client.once('close', () => reject(new Error('the connection was closed')))
      client.on('error', reject)
    })
    return client
  }

  async enrolAndConnect(number: string): Promise<MqttClient> {
    return this.connect(number, await this.enrol(number))
  }

  /** One that has been born with one line. */
  async born(number: string) {
    const client = await this.enrolAndConnect(number)
    const device = `${number}-D`
    let seq = 1
    await client.publishAsync(edgeTopic('g', 'NBIRTH', number), birth(), { qos: 1 })
    await client.publishAsync(deviceTopic('g', 'DBIRTH', number, device), deviceBirth(seq), { qos: 1 })
    const lineId = this.#stack.server.plant.lineAt(device, 1)?.id ?? 0
    return {
      client,
      device,
      lineId,
      send: (alias: number, value: number, { at = this.#now(), historical }: Kept = {}) => {
        seq = (seq + 1) % 256
        return client.publishAsync(deviceTopic('g', 'DDATA', number, device), data(seq, alias, value, at, historical), { qos: 1 })
      },
      raw: (bytes: Uint8Array) => {
        return client.publishAsync(deviceTopic('g', 'DDATA', number, device), Buffer.from(bytes), { qos: 1 })
      },
      skip: () => {
        seq = (seq + 1) % 256
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((client) => client.endAsync(true)))
  }
}

export const birth = (bdSeq = 0) =>
  Buffer.from(
    encodePayload({ timestampMs: Date.now(), seq: 0, metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: bdSeq })] }),
  )

/** One device with one line. */
export function deviceBirth(seq: number, values: Readonly<Record<string, number>> = {}): Buffer {
  const metrics = [
    metric({ name: 'info/model', type: DataType.String, value: '3PN' }),
    metric({ name: '1/info/name', type: DataType.String, value: '试验线' }),
    metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 63 }),
    metric({ name: '1/position', type: DataType.Int32, value: 1, alias: 100 }),
    ...['current.a', 'voltage.a', 'residual'].map((key, i) =>
      metric({ name: `1/${key}`, type: DataType.Float, value: values[key] ?? 10, alias: i + 1 }),
    ),
  ]
  return Buffer.from(encodePayload({ timestampMs: Date.now(), seq, metrics }))
}

export const data = (seq: number, alias: number, value: number, at: number, historical = false): Buffer =>
  Buffer.from(
    encodePayload({
      timestampMs: at,
      seq,
      metrics: [metric({ alias, type: DataType.Float, value, isHistorical: historical })],
    }),
  )
