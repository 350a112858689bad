// A lean generator of Sparkplug traffic, as a process of its own: MQTT by hand on plain sockets, QoS 1, 17 values a message. Its words go
// to the parent by IPC: { acknowledged, rows } each second, and once more at the end.

import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { familyOf } from '@linewarden/equipment'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'

interface Order {
  readonly port: number
  readonly gateways: readonly {
    readonly number: string
    readonly secret: string
    readonly controllerId: string
    readonly lines: number
  }[]
  /** Messages a second over all gateways; 0: as many as are acknowledged. */
  readonly perSecond: number
  readonly seconds: number
}

const window = 96
const group = 'bench'
const points = familyOf('breaker3p')?.points ?? []

class Edge {
  acknowledged = 0
  sent = 0
  allowance = Number.POSITIVE_INFINITY
  stopped = false
  readonly born: Promise<void>
  readonly #socket: Socket
  readonly #topic: Buffer
  readonly #templates: { readonly bytes: Buffer; readonly valueAt: number }[] = []
  readonly #lastAt: Float64Array
  #packetId = 0
  #seq = 0
  #inFlight = 0
  #line = 0
  #rest: Buffer = Buffer.alloc(0)

  constructor(port: number, { number, secret, controllerId, lines }: Order['gateways'][number]) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#topic = text(deviceTopic(group, 'DDATA', number, controllerId))
    this.#lastAt = new Float64Array(lines)
    for (let line = 0; line < lines; line++) this.#templates.push(valuesOf(line))
    let wake = () => {}
    this.born = new Promise((resolve) => {
      wake = resolve
    })
    this.#socket.write(connectPacket(number, secret))
    this.#socket.on('error', (error) => {
      process.stderr.write(`${number}: ${error.message}\n`)
    })
    this.#socket.on('data', (chunk) => {
      this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
      let at = 0
      while (this.#rest.length - at >= 4) {
        const kind = (this.#rest[at] ?? 0) >> 4
        if (kind === 2) {
          this.#publish(
            text(edgeTopic(group, 'NBIRTH', number)),
            encodePayload({
              timestampMs: Date.now(),
              seq: 0,
              metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: 0 })],
            }),
          )
          this.#publish(text(deviceTopic(group, 'DBIRTH', number, controllerId)), birthOf(lines))
        } else if (kind === 4) {
          this.#inFlight -= 1
          this.acknowledged += 1
          if (this.acknowledged === 2) wake()
        }
        at += 2 + (this.#rest[at + 1] ?? 2)
      }
      this.#rest = this.#rest.subarray(at)
      if (this.acknowledged >= 2) this.pump()
    })
  }

  /** Sends what the window and the pace allow. */
  pump(): void {
    if (this.#inFlight >= window || this.stopped) return
    this.#socket.cork()
    while (this.#inFlight < window && this.allowance >= 1 && !this.stopped) {
      this.allowance -= 1
      this.#data()
    }
    this.#socket.uncork()
  }

  end(): void {
    this.#socket.destroy()
  }

  #data(): void {
    const line = this.#line
    this.#line = (line + 1) % this.#templates.length
    const template = this.#templates[line]
    if (!template) return
    // Two messages of a line never carry the same time: each is a row of its own.
    const at = Math.max((this.#lastAt[line] ?? 0) + 1, Date.now())
    this.#lastAt[line] = at
    template.bytes.writeFloatLE(20 + (at % 100) / 10, template.valueAt)
    const head = Buffer.allocUnsafe(7)
    head[0] = 0x08
    varint(head, 1, at)
    this.#seq = (this.#seq + 1) % 256
    const tail = this.#seq < 128 ? Buffer.from([0x18, this.#seq]) : Buffer.from([0x18, (this.#seq & 0x7f) | 0x80, this.#seq >> 7])
    this.#publish(this.#topic, head, template.bytes, tail)
    this.sent += 1
  }

  #publish(topic: Buffer, ...payload: Uint8Array[]): void {
    this.#packetId = (this.#packetId % 65_535) + 1
    const length = topic.length + 2 + payload.reduce((sum, each) => sum + each.length, 0)
    const header = Buffer.allocUnsafe(6)
    header[0] = 0x32
    const end = varint(header, 1, length)
    this.#inFlight += 1
    this.#socket.write(
      Buffer.concat([header.subarray(0, end), topic, Buffer.from([this.#packetId >> 8, this.#packetId & 0xff]), ...payload]),
    )
    if (payload.length === 1 && topic !== this.#topic) this.#seq = this.acknowledged === 0 && this.#packetId === 1 ? 0 : 1
  }
}

/** The 17 values of one line by alias, encoded, and where the first of them stands: only that one is changed later. */
function valuesOf(line: number): { bytes: Buffer; valueAt: number } {
  const metrics = points.map(({ key }, index) =>
    metric({ alias: aliasOf(line, index), type: key === 'energy' ? DataType.Double : DataType.Float, value: healthyValue(key) }),
  )
  const bytes = Buffer.from(encodePayload({ metrics }))
  return { bytes, valueAt: bytes.indexOf(0x65) + 1 }
}

function birthOf(lines: number): Uint8Array {
  const metrics = [metric({ name: 'info/model', type: DataType.String, value: '3PN' })]
  for (let line = 0; line < lines; line++) {
    const name = (key: string) => `${line + 1}/${key}`
    metrics.push(
      metric({ name: name('info/ratedCurrent'), type: DataType.Float, value: 63 }),
      metric({ name: name('position'), type: DataType.Int32, value: 1 }),
      metric({ name: name('trip.cause'), type: DataType.Int32, value: 0 }),
    )
    points.forEach(({ key }, index) => {
      metrics.push(
        metric({
          name: name(key),
          alias: aliasOf(line, index),
          type: key === 'energy' ? DataType.Double : DataType.Float,
          value: healthyValue(key),
        }),
      )
    })
  }
  return encodePayload({ timestampMs: Date.now(), seq: 1, metrics })
}

const aliasOf = (line: number, index: number): number => line * points.length + index + 1

const healthy: Readonly<Record<string, number>> = {
  current: 25,
  voltage: 230,
  power: 5,
  residual: 12,
  temperature: 40,
  powerFactor: 0.93,
  energy: 12_345.6,
}
const healthyValue = (key: string): number => healthy[key.split('.')[0] ?? ''] ?? 1

function connectPacket(number: string, secret: string): Buffer {
  const body = Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text(number), text(number), text(secret)])
  const header = Buffer.alloc(5)
  header[0] = 0x10
  return Buffer.concat([header.subarray(0, varint(header, 1, body.length)), body])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function varint(out: Buffer, at: number, value: number): number {
  let rest = value
  let position = at
  while (rest > 0x7f) {
    out[position++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  out[position++] = rest
  return position
}

// The parent has what it wanted.
process.on('disconnect', () => process.exit(0))
process.on('message', async (order: Order) => {
  const edges = order.gateways.map((gateway) => new Edge(order.port, gateway))
  for (const edge of edges) edge.allowance = 0
  await Promise.all(edges.map((edge) => edge.born))
  const share = order.perSecond / edges.length
  const started = performance.now()
  let paced = 0
  const pace = setInterval(() => {
    const elapsed = (performance.now() - started) / 1_000
    for (const edge of edges) {
      edge.allowance = order.perSecond === 0 ? Number.POSITIVE_INFINITY : edge.allowance + share * (elapsed - paced)
      edge.pump()
    }
    paced = elapsed
  }, 5)
  const acknowledged = () => edges.reduce((sum, edge) => sum + edge.acknowledged - 2, 0)
  const reporting = setInterval(() => process.send?.({ acknowledged: acknowledged() }), 1_000)
  await new Promise((resolve) => setTimeout(resolve, order.seconds * 1_000))
  const inTime = acknowledged()
  const seconds = (performance.now() - started) / 1_000
  clearInterval(pace)
  for (const edge of edges) edge.stopped = true
  // What is still on its way is waited for: all that was sent must be acknowledged, and found in the table.
  for (let i = 0; i < 100 && acknowledged() < edges.reduce((sum, edge) => sum + edge.sent, 0); i++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  clearInterval(reporting)
  process.send?.({
    done: true,
    acknowledged: acknowledged(),
    sent: edges.reduce((sum, edge) => sum + edge.sent, 0),
    perSecond: inTime / seconds,
  })
  for (const edge of edges) edge.end()
})
