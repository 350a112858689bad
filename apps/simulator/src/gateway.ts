import { wire } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, metric } from '@linewarden/sparkplug'
import { deviceBirth, dueMetrics, nodeBirth, readBack, resultMetrics, signalMetric, tripMetrics } from './births.ts'
import type { Behaviour, IntervalAnswer } from './commands.ts'
import { CommandDesk } from './commands.ts'
import type { SimulatedDevice } from './device.ts'
import { newDevice, wired } from './device.ts'
import { EdgeConnection } from './edge-connection.ts'
import type { ExecutedLog } from './executed-log.ts'
import { Courses } from './faults/courses.ts'
import { Updater } from './firmware/updater.ts'
import { KeptReadings } from './kept.ts'
import type { GatewayPlan } from './plan.ts'
import type { Board } from './plant/board.ts'
import { settle, stepBoard } from './plant/board.ts'
import { stepDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { RadioSignal } from './plant/radio-signal.ts'
import type { SimulatedDetector } from './plant/senses/sense.ts'
import type { Random } from './random.ts'

export interface GatewayOptions {
  readonly url: string
  readonly certificate?: string
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
  readonly behaviour: Behaviour = { acknowledge: true, move: true, report: true, reportFirst: false, mechanismMs: 120 }
  readonly updater: Updater
  clockSynchronised = true
  /** How far its clock is from the true time: negative when it is slow. */
  #clockOffsetMs = 0
  acknowledged = 0
  /** Readings the server said it has: the oracle of what must be in its table. Kept only when asked for. */
  readonly stored: { controllerId: string; lineNo: number; at: number }[] | null
  readonly #options: GatewayOptions
  readonly #devices: readonly SimulatedDevice[]
  /** How its lines are wired. */
  readonly board: Board
  readonly courses: Courses
  readonly #desk: CommandDesk
  readonly #edge: EdgeConnection
  readonly signal: RadioSignal
  #booting: NodeJS.Timeout | undefined
  readonly #kept = new KeptReadings()
  #lastStep: number
  #lastReport = 0
  #periodMs: number

  constructor(plan: GatewayPlan, options: GatewayOptions) {
    this.number = plan.number
    this.stored = options.remember ? [] : null
    this.#options = options
    this.signal = new RadioSignal(plan.number, options.now())
    this.#lastStep = options.now()
    this.courses = new Courses(options.now)
    this.#periodMs = plan.reportingPeriodMs
    // Gateways of a fleet do not all report in the same instant.
    this.#lastReport = options.now() - Math.floor(options.random() * plan.reportingPeriodMs)
    let alias = 10
    const { random, log, now } = options
    this.#devices = plan.devices.map((device) => newDevice(device, { now: this.#lastStep, random, nextAlias: () => alias++ }))
    this.board = wired(plan, this.#devices, this.#lastStep, random)
    const model = plan.model ?? 'LW-G1'
    this.updater = new Updater(
      {
        model,
        keys: options.firmwareKeys,
        publish: (word) => this.#edge.publishUpgrade(word),
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
      session: () => ({ clockSynchronised: this.clockSynchronised, bdSeq: this.#edge.bdSeq, now: this.#clock() }),
      answer: (device, ...result) => {
        if (this.isBorn) void this.#publishData(device, resultMetrics(...result))
      },
      reportAtOnce: (device, lineNo, settings) => this.#reportAtOnce(device, lineNo, settings),
    })
    this.#edge = new EdgeConnection({
      ...options,
      now: () => this.#clock(),
      number: plan.number,
      secret: plan.secret,
      births: () => ({
        node: nodeBirth({
          reportingPeriodMs: this.#periodMs,
          clockSynchronised: this.clockSynchronised,
          model,
          firmware: this.updater.version,
          signalDbm: this.signal.dbm,
        }),
        devices: this.#devices.map((device) => ({
          controllerId: device.controllerId,
          metrics: deviceBirth(device, this.#clock()),
        })),
      }),
      onNodeCommand: (bytes) => {
        const interval = this.#desk.takeInterval(bytes)
        if (interval && this.isBorn) void this.#answerInterval(interval)
      },
      onDeviceCommand: (controllerId, bytes) => {
        const device = this.#devices.find((each) => each.controllerId === controllerId)
        if (device) this.#desk.take(device, bytes)
      },
      onFirmware: (words, bytes) => this.updater.take(words, bytes),
    })
  }

  get isBorn(): boolean {
    return this.#edge.isBorn
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
    return this.#edge.connect()
  }

  /** Pulls the network cable: no goodbye, the broker sends the will. Readings are kept and come later, marked historical. */
  disconnectAbruptly(): void {
    clearTimeout(this.#booting)
    this.#edge.cut()
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

  /** Somebody sets its clock. Times are in order from birth to birth, so it is born again, and what it kept keeps the times it was kept by. */
  setClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs
    this.#edge.bearAgain()
  }

  /** Says goodbye properly: NDEATH, then disconnects. */
  async close(): Promise<void> {
    this.updater.powerLost()
    clearTimeout(this.#booting)
    await this.#edge.close()
  }

  /** Moves the plant on to now; sends states that changed at once and values when their period is over. */
  async step(): Promise<void> {
    const now = this.#options.now()
    const changed = this.advance()
    const silentMs = now - this.#lastReport
    const due = silentMs >= this.#periodMs
    // In step with itself, however long it stood still.
    if (due) this.#lastReport = now - (silentMs < 2 * this.#periodMs ? 0 : silentMs % this.#periodMs)
    if (due || changed) await this.report(due)
    if (this.signal.step(now) && this.isBorn) await this.#edge.publishNode([signalMetric(this.signal.dbm)])
    if (this.isBorn) await Promise.all(this.#kept.some().map(({ device, metrics }) => this.#publishData(device, metrics)))
  }

  /** Moves the plant on to now and says nothing of it; whether something changed that is said at once. */
  advance(): boolean {
    const now = this.#options.now()
    const dtMs = Math.max(0, now - this.#lastStep)
    this.#lastStep = now
    const { random } = this.#options
    this.courses.step()
    let changed = stepBoard(this.board, dtMs, now, random)
    for (const { detector } of this.#devices) if (detector && stepDetector(detector, dtMs, now, random)) changed = true
    return changed
  }

  /** Publishes what changed, and every value if `values`; resolves when the server has acknowledged. */
  async report(values = true): Promise<void> {
    const now = this.#clock()
    const sending: Promise<void>[] = []
    // A switch may have moved since the last step: what one line reads agrees with where all of them stand.
    settle(this.board, this.#options.now())
    for (const device of this.#devices) {
      for (const metrics of tripMetrics(device, now)) {
        if (this.isBorn) sending.push(this.#publishData(device, metrics))
        else this.#kept.keep(device, metrics, now)
      }
      for (const metrics of dueMetrics(device, values, now)) {
        if (this.isBorn) sending.push(this.#publishData(device, metrics))
        else if (values) this.#kept.keep(device, metrics, now)
      }
    }
    await Promise.all(sending)
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
    await this.#edge.publishNode(metrics)
  }

  async #publishData(device: SimulatedDevice, metrics: readonly Metric[]): Promise<void> {
    if (await this.#edge.publishDevice(device.controllerId, metrics)) {
      this.acknowledged += 1
      this.#remember(device, metrics)
    }
    // Not acknowledged, so not stored: it is kept and sent again as history.
    else this.#kept.keep(device, metrics, this.#clock())
  }

  #remember(device: SimulatedDevice, metrics: readonly Metric[]): void {
    if (!this.stored) return
    const value = metrics.find(({ alias }) => device.metrics.find((entry) => entry.alias === alias)?.metric.when === 'value')
    const entry = value && device.metrics.find(({ alias }) => alias === value.alias)
    if (value?.timestampMs && entry)
      this.stored.push({ controllerId: device.controllerId, lineNo: entry.metric.lineNo, at: value.timestampMs })
  }

  /** States go out at once, also when they stood there already: they are the proof that a command waits for. Written settings are read back. */
  async #reportAtOnce(device: SimulatedDevice, lineNo: number, settings: readonly string[]): Promise<void> {
    for (const entry of device.metrics) if (entry.metric.lineNo === lineNo && entry.metric.when === 'state') entry.sent = null
    await this.step()
    await this.report(false)
    const written = readBack(device, lineNo, settings, this.#clock())
    if (written.length > 0 && this.isBorn) await this.#publishData(device, written)
  }

  /** What hangs on it. */
  devices(): readonly SimulatedDevice[] {
    return this.#devices
  }

  /** What time it is by its own clock; the plant behind it lives by the true one. */
  #clock(): number {
    return this.#options.now() + this.#clockOffsetMs
  }

  #device(controllerId: string): SimulatedDevice {
    const device = this.#devices.find((each) => each.controllerId === controllerId)
    if (!device) throw new Error(`gateway ${this.number} has no device ${controllerId}`)
    return device
  }
}
