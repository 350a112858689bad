import { wire } from '@linewarden/equipment'
import type { ReceivedCommand } from '@linewarden/rules/control'
import { gatewayRefusal } from '@linewarden/rules/control'
import { reportingInterval, settingFault } from '@linewarden/rules/settings'
import { decodePayload } from '@linewarden/sparkplug'
import type { SimulatedDevice } from './device.ts'
import type { ExecutedLog } from './executed-log.ts'
import { close, open, testRelease } from './plant/line.ts'
import type { Random } from './random.ts'

/** How the gateway behaves towards commands; tests change it to see what the server makes of silence. */
export interface Behaviour {
  acknowledge: boolean
  move: boolean
  report: boolean
  /** It reports what it did before it says how long that took. */
  reportFirst: boolean
  mechanismMs: number
}

/** What a gateway says to an order about its own reporting interval. */
export interface IntervalAnswer {
  readonly id: string
  readonly refusal: string | null
  readonly seconds: number
}

/** What the desk needs of its gateway. */
export interface Desk {
  readonly number: string
  readonly behaviour: Behaviour
  readonly log: ExecutedLog
  readonly random: Random
  /** The true time, for the log: what tests believe is not told by a clock that may be wrong. */
  now(): number
  /** `now`: by the gateway's own clock, which is all it can judge a deadline by. */
  session(): { readonly clockSynchronised: boolean; readonly bdSeq: number; readonly now: number }
  /** Says what became of a command. */
  answer(device: SimulatedDevice, id: string, status: 'accepted' | 'refused', reason: string, tripMs?: number): void
  /** Reports the states and the written settings of a line at once, also when they stood there already. */
  reportAtOnce(device: SimulatedDevice, lineNo: number, settings: readonly string[]): Promise<void>
}

/** Where a gateway takes its commands, and checks each by itself before anything moves. */
export class CommandDesk {
  readonly #desk: Desk
  readonly #seenIds = new Set<string>()
  readonly #lastFence = new Map<string, number>()
  #moving = 0

  /** Commands that were taken and have not moved anything yet. */
  get moving(): number {
    return this.#moving
  }

  constructor(desk: Desk) {
    this.#desk = desk
  }

  take(device: SimulatedDevice, bytes: Uint8Array): void {
    const { behaviour, log, number, now } = this.#desk
    const values = new Map(decodePayload(bytes).metrics.map((each) => [each.name ?? '', each.value]))
    const figure = (name: string) => Number(values.get(name) ?? Number.NaN)
    const lineNo = figure(wire.command.line)
    const command: ReceivedCommand = {
      id: String(values.get(wire.command.id) ?? ''),
      action: String(values.get(wire.command.action) ?? ''),
      deadline: figure(wire.command.deadline),
      fence: figure(wire.command.fence),
      bdSeq: figure(wire.command.bdSeq),
    }
    const line = device.lines.get(lineNo) ?? null
    const key = `${device.controllerId}/${lineNo}`
    const settings = command.action === wire.set ? writtenSettings(values, lineNo) : new Map<string, number>()
    const refusal =
      gatewayRefusal(command, {
        ...this.#desk.session(),
        seenIds: this.#seenIds,
        lastFence: this.#lastFence.get(key) ?? null,
        localLock: line?.localLock ?? false,
        knownLine: line !== null || (device.detector !== null && lineNo === 0),
        actions: [...device.family.actions.map((each) => each.key), ...(device.family.settings.length > 0 ? [wire.set] : [])],
      }) ??
      (command.action === wire.set ? badSetting(device, lineNo, settings) : null) ??
      (command.action === 'selfTest' && line?.position === 'open' ? ('line_open' as const) : null)
    const entry = {
      gateway: number,
      controllerId: device.controllerId,
      lineNo,
      id: command.id,
      action: command.action,
      deadline: command.deadline,
      fence: command.fence,
    }
    if (refusal !== null) {
      const position = line?.position ?? null
      log.append({ at: now(), ...entry, outcome: 'refused', reason: refusal, positionBefore: position, positionAfter: position })
      if (behaviour.acknowledge) this.#desk.answer(device, command.id, 'refused', refusal)
      return
    }
    this.#seenIds.add(command.id)
    this.#lastFence.set(key, command.fence)
    if (behaviour.acknowledge) this.#desk.answer(device, command.id, 'accepted', '')
    if (!behaviour.move) return
    this.#moving += 1
    setTimeout(() => {
      const positionBefore = line?.position ?? null
      // The gateway may have hung between its check and the movement: deadline and fence are looked at last thing before the mechanism.
      const clock = this.#desk.session()
      const late = clock.clockSynchronised && clock.now > command.deadline
      const overtaken = command.action === 'close' && command.fence < (this.#lastFence.get(key) ?? command.fence)
      if (late || overtaken) {
        this.#moving -= 1
        const reason = late ? 'deadline_passed' : 'older_fence'
        log.append({ at: now(), ...entry, outcome: 'refused', reason, positionBefore, positionAfter: positionBefore })
        if (behaviour.acknowledge) this.#desk.answer(device, command.id, 'refused', reason)
        return
      }
      const execute = () => {
        this.#moving -= 1
        const tripMs = this.#execute(device, lineNo, command.action, settings)
        const positionAfter = line?.position ?? null
        log.append({ at: now(), ...entry, outcome: 'executed', reason: null, positionBefore, positionAfter })
        const answer = () => {
          if (tripMs !== null && behaviour.acknowledge) this.#desk.answer(device, command.id, 'accepted', '', tripMs)
        }
        if (!behaviour.reportFirst) answer()
        const reported = behaviour.report ? this.#desk.reportAtOnce(device, lineNo, [...settings.keys()]) : null
        if (behaviour.reportFirst) void Promise.resolve(reported).then(answer)
      }
      if (command.action !== 'selfTest') return execute()
      // It says that it has begun, so that the result cannot be taken for an earlier one.
      if (line) line.selfTest = 'running'
      else device.detector?.states.set('selfTest', 'running')
      if (behaviour.report) void this.#desk.reportAtOnce(device, lineNo, [])
      setTimeout(execute, behaviour.mechanismMs)
    }, behaviour.mechanismMs)
  }

  /** An order to the gateway itself: how often it reports. Null when it is none. */
  takeInterval(bytes: Uint8Array): IntervalAnswer | null {
    const values = new Map(decodePayload(bytes).metrics.map((each) => [each.name ?? '', each.value]))
    const figure = (name: string) => Number(values.get(name) ?? Number.NaN)
    if (values.get(wire.command.action) !== wire.set || !values.has(wire.info.reportingPeriod)) return null
    const id = String(values.get(wire.command.id) ?? '')
    const seconds = figure(wire.info.reportingPeriod)
    const fence = figure(wire.command.fence)
    const refusal =
      gatewayRefusal(
        { id, action: wire.set, deadline: figure(wire.command.deadline), fence, bdSeq: figure(wire.command.bdSeq) },
        {
          ...this.#desk.session(),
          seenIds: this.#seenIds,
          lastFence: this.#lastFence.get('gateway') ?? null,
          localLock: false,
          knownLine: true,
          actions: [wire.set],
        },
      ) ?? (settingFault(reportingInterval, seconds, '', null) === null ? null : ('bad_setting' as const))
    if (refusal === null) {
      this.#seenIds.add(id)
      this.#lastFence.set('gateway', fence)
    }
    return { id, refusal, seconds }
  }

  /** Does it; answers a self-test's trip time. */
  #execute(device: SimulatedDevice, lineNo: number, action: string, settings: ReadonlyMap<string, number>): number | null {
    const { detector } = device
    const line = device.lines.get(lineNo)
    if (action === wire.set) for (const [key, value] of settings) (line ?? detector)?.settings.set(key, value)
    else if (line) {
      if (action === 'trip') open(line, 'remote')
      else if (action === 'close') close(line)
      else return testRelease(line, this.#desk.random)
    } else if (detector) {
      if (action === 'silence') detector.states.set('sounder', 'quiet')
      else detector.states.set('selfTest', detector.around.testFails ? 'failed' : 'passed')
    }
    return null
  }
}

/** The settings a command carries for its line; NaN for what is no number. */
function writtenSettings(values: ReadonlyMap<string, unknown>, lineNo: number): Map<string, number> {
  const prefix = lineNo === 0 ? 'settings/' : `settings/${lineNo}/`
  return new Map(
    [...values].flatMap(([name, value]) =>
      name.startsWith('settings/')
        ? [[name.startsWith(prefix) ? name.slice(prefix.length) : name, typeof value === 'number' ? value : Number.NaN] as const]
        : [],
    ),
  )
}

/** The equipment takes all of the settings or none. */
function badSetting(device: SimulatedDevice, lineNo: number, settings: ReadonlyMap<string, number>): 'bad_setting' | null {
  const rated = device.lines.get(lineNo)?.plan.ratedCurrentA ?? device.plan.circuit?.ratedCurrentA ?? null
  const good = [...settings].every(([key, value]) => {
    const setting = device.family.settings.find((each) => each.key === key)
    return setting && settingFault(setting, value, device.plan.model, rated) === null
  })
  return good && settings.size > 0 ? null : 'bad_setting'
}
