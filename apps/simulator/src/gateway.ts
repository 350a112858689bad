import { wire } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, decodePayload, deviceTopic, edgeTopic, encodePayload, metric, stateTopic } from '@linewarden/sparkplug'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import { deviceBirth, dueMetrics, nodeBirth, readBack, resultMetrics } from './births.ts'
import type { Behaviour, IntervalAnswer } from './commands.ts'
import { CommandDesk } from './commands.ts'
import type { SimulatedDevice } from './device.ts'
import { newDevice, stepDevice } from './device.ts'
import type { ExecutedLog } from './executed-log.ts'
import { Updater } from './firmware/updater.ts'
import { KeptReadings } from './kept.ts'
import type { GatewayPlan } from './plan.ts'
import type { SimulatedDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import type { Random } from './random.ts'

export interface GatewayOptions {
  readonly url: string
  readonly groupId: string
  readonly hostId: string
  readonly now: () => number
  readonly random: Random
  readonly log: ExecutedLog
  /** Remember every acknowledged reading. */
  readonly remember: boolean
  /** Public keys whose firmware it takes. */
  readonly firmwareKeys: readonly string[]
}

/** How long it takes from power to connecting. */
const bootMs = 400

/** One Sparkplug edge node with its breakers and detectors, on a real MQTT connection. */
export class SimulatedGateway {
  readonly number: string
  readonly behaviour: Behaviour = { acknowledge: true, move: true, report: true, mechanismMs: 120 }
  readonly updater: Updater
  clockSynchronised = true
  acknowledged = 0
  /** Readings the server said it has: the oracle of what must be in its table. Kept only when asked for. */
  readonly told: { controllerId: string; lineNo: number; at: number }[] | null
  readonly #plan: GatewayPlan
  readonly #model: string
  readonly #options: GatewayOptions
  readonly #devices: readonly SimulatedDevice[]
  readonly #desk: CommandDesk
  #client: MqttClient | null = null
  #bdSeq = -1
  #seq = 0
  #born = false
  #wanted = false
  #booting: NodeJS.Timeout | undefined
  readonly #kept = new KeptReadings()
  #lastStep: number
  #lastReport = 0
  #periodMs: number
  #wakeBorn: (() => void)[] = []

  constructor(plan: GatewayPlan, options: GatewayOptions) {
    this.number = plan.number
    this.told = options.remember ? [] : null
    this.#plan = plan
    this.#options = options
    this.#lastStep = options.now()
    this.#periodMs = plan.reportingPeriodMs
    // Gateways of a fleet do not all report in the same instant.
    this.#lastReport = options.now() - Math.floor(options.random() * plan.reportingPeriodMs)
    let alias = 10
    const { random, log, now } = options
    this.#devices = plan.devices.map((device) => newDevice(device, { now: this.#lastStep, random, nextAlias: () => alias++ }))
    this.#model = plan.model ?? 'LW-G1'
    this.updater = new Updater(
      {
        model: this.#model,
        keys: options.firmwareKeys,
        say: (word) => this.#saysOfUpgrade(word),
        busy: () => this.#desk.moving > 0,
        restart: () => void this.powerLoss(),
      },
      plan.firmware ?? '1.0.0',
    )
    this.#desk = new CommandDesk({
      number: plan.number,
      behaviour: this.behaviour,
      log,
      random,
      now,
      session: () => ({ clockSynchronised: this.clockSynchronised, bdSeq: this.#bdSeq }),
      answer: (device, ...result) => {
        if (this.#born) void this.#publishData(device, resultMetrics(...result))
      },
      reportAtOnce: (device, lineNo, settings) => void this.#reportAtOnce(device, lineNo, settings),
    })
  }

  get isBorn(): boolean {
    return this.#born
  }

  /** Every line it has, in order. */
  lines(): { controllerId: string; lineNo: number; name: string }[] {
    return this.#devices.flatMap(({ controllerId, lines }) =>
      [...lines.values()].map(({ plan }) => ({ controllerId, lineNo: plan.lineNo, name: plan.name })),
    )
  }

  hasDevice(controllerId: string): boolean {
    return this.#devices.some((device) => device.controllerId === controllerId)
  }

  line(controllerId: string, lineNo: number): SimulatedLine {
    const line = this.#device(controllerId).lines.get(lineNo)
    if (!line) throw new Error(`${controllerId} has no line ${lineNo}`)
    return line
  }

  detector(controllerId: string): SimulatedDetector {
    const { detector } = this.#device(controllerId)
    if (!detector) throw new Error(`${controllerId} is no detector`)
    return detector
  }

  /** Insists on a value of one point until told otherwise. */
  setPoint(controllerId: string, lineNo: number, point: string, value: number): void {
    this.line(controllerId, lineNo).forced.set(point, value)
  }

  /** Connects; resolves when born. */
  connect(): Promise<void> {
    this.#wanted = true
    this.#open()
    return new Promise((resolve) => (this.#born ? resolve() : this.#wakeBorn.push(resolve)))
  }

  /** Pulls the network cable: no goodbye, the broker sends the will. Readings are kept and come later, marked historical. */
  disconnectAbruptly(): void {
    this.#wanted = false
    clearTimeout(this.#booting)
    this.#born = false
    this.#client?.stream.destroy()
    this.#client?.end(true)
    this.#client = null
  }

  reconnect(): Promise<void> {
    return this.connect()
  }

  /** The power goes and comes back: what it was doing is lost, what is in flash is not. Resolves when it is born again. */
  powerLoss(): Promise<void> {
    this.disconnectAbruptly()
    this.updater.powerLost()
    return new Promise((born) => {
      this.#booting = setTimeout(() => {
        this.updater.start()
        void this.connect().then(born)
      }, bootMs)
    })
  }

  /** Says goodbye properly: NDEATH, then disconnects. */
  async close(): Promise<void> {
    this.#wanted = false
    this.updater.powerLost()
    clearTimeout(this.#booting)
    const client = this.#client
    this.#client = null
    if (!client) return
    if (this.#born) {
      this.#born = false
      await client
        .publishAsync(edgeTopic(this.#options.groupId, 'NDEATH', this.number), Buffer.from(this.#death()), { qos: 1 })
        .catch(() => {})
    }
    await client.endAsync(true)
  }

  /** Moves the plant on to now; sends states that changed at once and values when their period is over. */
  async step(): Promise<void> {
    const now = this.#options.now()
    const dtMs = Math.max(0, now - this.#lastStep)
    this.#lastStep = now
    let changed = false
    for (const device of this.#devices) if (stepDevice(device, dtMs, now, this.#options.random)) changed = true
    const due = now - this.#lastReport >= this.#periodMs
    if (due) this.#lastReport = now
    if (due || changed) await this.report(due)
    if (this.#born) await Promise.all(this.#kept.some().map(({ device, metrics }) => this.#publishData(device, metrics)))
  }

  /** Publishes what changed, and every value if `values`; resolves when the server has acknowledged. */
  async report(values = true): Promise<void> {
    const now = this.#options.now()
    const sending: Promise<void>[] = []
    for (const device of this.#devices) {
      for (const metrics of dueMetrics(device, values, now)) {
        if (this.#born) sending.push(this.#publishData(device, metrics))
        else if (values) this.#kept.keep(device, metrics, now)
      }
    }
    await Promise.all(sending)
  }

  #open(): void {
    if (this.#client || !this.#wanted) return
    this.#bdSeq = (this.#bdSeq + 1) % 256
    const { url, groupId, hostId } = this.#options
    const client = mqtt.connect(url, {
      clientId: `lw-${this.number}`,
      username: this.number,
      password: this.#plan.secret,
      clean: true,
      keepalive: 30,
      reconnectPeriod: 0,
      connectTimeout: 10_000,
      will: { topic: edgeTopic(groupId, 'NDEATH', this.number), payload: Buffer.from(this.#death()), qos: 1, retain: false },
    })
    this.#client = client
    client.on('error', () => {})
    client.on('message', (topic, payload) => this.#onMessage(topic, payload))
    client.on('connect', () => {
      const filters = [
        stateTopic(hostId),
        edgeTopic(groupId, 'NCMD', this.number),
        deviceTopic(groupId, 'DCMD', this.number, '+'),
        `linewarden/v1/${this.number}/firmware/#`,
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
      if (this.#wanted) setTimeout(() => this.#open(), 300 + this.#options.random() * 1_200)
    })
  }

  #death(): Uint8Array {
    return encodePayload({
      timestampMs: this.#options.now(),
      metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: this.#bdSeq })],
    })
  }

  async #giveBirth(): Promise<void> {
    const now = this.#options.now()
    const { groupId } = this.#options
    const client = this.#client
    if (!client) return
    this.#seq = 0
    const node = nodeBirth({
      bdSeq: this.#bdSeq,
      reportingPeriodMs: this.#periodMs,
      clockSynchronised: this.clockSynchronised,
      model: this.#model,
      firmware: this.updater.version,
    })
    const sending = [
      client.publishAsync(
        edgeTopic(groupId, 'NBIRTH', this.number),
        Buffer.from(encodePayload({ timestampMs: now, seq: 0, metrics: node })),
        { qos: 1 },
      ),
    ]
    for (const device of this.#devices) {
      const payload = encodePayload({ timestampMs: now, seq: this.#nextSeq(), metrics: deviceBirth(device, now) })
      sending.push(
        client.publishAsync(deviceTopic(groupId, 'DBIRTH', this.number, device.controllerId), Buffer.from(payload), { qos: 1 }),
      )
    }
    await Promise.all(sending)
    this.#born = true
    for (const wake of this.#wakeBorn.splice(0)) wake()
  }

  #nextSeq(): number {
    this.#seq = (this.#seq + 1) % 256
    return this.#seq
  }

  /** Reports by the new period from now on, and reads it back. */
  async #answerInterval({ id, refusal, seconds }: IntervalAnswer): Promise<void> {
    if (refusal === null && this.behaviour.move) this.#periodMs = seconds * 1_000
    const { acknowledge, report } = this.behaviour
    const metrics = [
      ...(acknowledge ? resultMetrics(id, refusal === null ? 'accepted' : 'refused', refusal ?? '') : []),
      ...(report && refusal === null
        ? [metric({ name: wire.info.reportingPeriod, type: DataType.Float, value: this.#periodMs / 1_000 })]
        : []),
    ]
    const payload = encodePayload({ timestampMs: this.#options.now(), seq: this.#nextSeq(), metrics })
    const topic = edgeTopic(this.#options.groupId, 'NDATA', this.number)
    await this.#client?.publishAsync(topic, Buffer.from(payload), { qos: 1 }).catch(() => {})
  }

  /** Lost on the way, it is said again. */
  #saysOfUpgrade(word: object): void {
    void this.#client?.publishAsync(`linewarden/v1/${this.number}/upgrade`, JSON.stringify(word), { qos: 1 }).catch(() => {})
  }

  async #publishData(device: SimulatedDevice, metrics: readonly Metric[]): Promise<void> {
    const client = this.#client
    if (!client) return
    const payload = encodePayload({ timestampMs: this.#options.now(), seq: this.#nextSeq(), metrics })
    try {
      await client.publishAsync(
        deviceTopic(this.#options.groupId, 'DDATA', this.number, device.controllerId),
        Buffer.from(payload),
        { qos: 1 },
      )
      this.acknowledged += 1
      this.#remember(device, metrics)
    } catch {
      // Not acknowledged, so not stored: it is kept and sent again as history.
      this.#kept.keep(device, metrics, this.#options.now())
    }
  }

  #remember(device: SimulatedDevice, metrics: readonly Metric[]): void {
    if (!this.told) return
    const value = metrics.find(({ alias }) => device.metrics.find((entry) => entry.alias === alias)?.metric.when === 'value')
    const entry = value && device.metrics.find(({ alias }) => alias === value.alias)
    if (value?.timestampMs && entry)
      this.told.push({ controllerId: device.controllerId, lineNo: entry.metric.lineNo, at: value.timestampMs })
  }

  #onMessage(topic: string, bytes: Buffer): void {
    const [, , kind, word, controllerId, ...more] = topic.split('/')
    if (topic.startsWith('linewarden/')) {
      if (word === 'firmware') this.updater.take([controllerId ?? '', ...more], bytes)
      return
    }
    if (kind === 'NCMD') {
      const asked = decodePayload(bytes).metrics.some((each) => each.name === 'Node Control/Rebirth' && each.value === true)
      if (asked && this.#born) void this.#giveBirth().catch(() => {})
      const interval = asked ? null : this.#desk.takeInterval(bytes)
      if (interval && this.#born) void this.#answerInterval(interval)
    }
    if (kind !== 'DCMD') return
    const device = this.#devices.find((each) => each.controllerId === controllerId)
    if (device) this.#desk.take(device, bytes)
  }

  /** States go out at once, also when they stood there already: they are the proof that a command waits for. Written settings are read back. */
  async #reportAtOnce(device: SimulatedDevice, lineNo: number, settings: readonly string[]): Promise<void> {
    for (const entry of device.metrics) if (entry.metric.lineNo === lineNo && entry.metric.when === 'state') entry.sent = null
    await this.step()
    await this.report(false)
    const written = readBack(device, lineNo, settings, this.#options.now())
    if (written.length > 0 && this.#born) await this.#publishData(device, written)
  }

  /** What hangs on it. */
  devices(): readonly SimulatedDevice[] {
    return this.#devices
  }

  #device(controllerId: string): SimulatedDevice {
    const device = this.#devices.find((each) => each.controllerId === controllerId)
    if (!device) throw new Error(`gateway ${this.number} has no device ${controllerId}`)
    return device
  }
}
