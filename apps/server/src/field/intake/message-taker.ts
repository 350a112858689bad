import { dayMs, hourMs, wire } from '@linewarden/equipment'
import { isSetBack, mistakenUnit } from '@linewarden/rules/monitor'
import { cutText } from '../../lib/storable-text.ts'
import type { PlantDevice, PlantLine } from '../../plant/plant.ts'
import type { Batch, Quarantined } from '../../store/ingest/batch.ts'
import type { Arrival } from '../broker/broker.ts'
import { measureEvents } from '../watch/judged-value.ts'
import type { LineWatch } from '../watch/line-watch.ts'
import { newWatch, recompile, takeBack } from '../watch/line-watch.ts'
import type { NamedValue } from './birth.ts'
import type { Counters } from './counters.ts'
import { countUnknown } from './counters.ts'
import type { GatewaySession, Target } from './session.ts'
import { announce, targetOf } from './session.ts'
import type { Moment } from './take.ts'
import {
  applySetting,
  applyState,
  evaluateRow,
  evaluateTest,
  ingestRecording,
  ingestValue,
  noteUnapplied,
  whyMissing,
} from './take.ts'

// A device clock at 1970 or 2100 is marked and kept; beyond that it is no time at all.
const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(2100, 0, 1)
/** No present time in seconds is as much in milliseconds. */
const sinceMs = 1e11
// A clock that was never set counts from 1970, and must not be taken for seconds for longer than it passes the present.
const yearMs = 366 * dayMs
/** A breaker that took a minute to trip did not trip by itself. */
const maxTripMs = 60_000
/** Nothing can be heard below. */
const weakestDbm = -150
const signalEveryMs = 30_000

type RawValue = number | boolean | string | null

/** Puts the values of one message after the other where they belong, evaluates them, and sets aside what cannot be accepted. */
export class MessageTaker {
  readonly #options: {
    readonly counters: Counters
    readonly clock: () => number
    readonly batch: () => Batch
    readonly setAside: (refused: Quarantined) => Promise<void>
  }
  readonly #watches = new Map<number, LineWatch>()
  /** Lines this message brings values of, and the row of each; filled anew by every message, and never emptied, to be made once. */
  readonly #touched: LineWatch[] = []
  readonly #touchedRows: number[] = []
  #touches = 0
  /** One message is kept aside once for each reason, however many of its metrics, or of its reports where it was pushed, are bad. */
  readonly #noted = new WeakMap<Uint8Array, Map<string, Promise<void>>>()
  /** Fixed for the length of one message, so that its rows and their evaluation stand together. */
  batch: Batch
  /** The message told something of the present by a clock that is far behind what the same line told before. */
  clockSetBack = false

  constructor(options: {
    readonly counters: Counters
    readonly clock: () => number
    readonly batch: () => Batch
    readonly setAside: (refused: Quarantined) => Promise<void>
  }) {
    this.#options = options
    this.batch = options.batch()
  }

  /** Before each message. */
  begin(): void {
    this.batch = this.#options.batch()
    this.clockSetBack = false
  }

  put(session: GatewaySession, arrival: Arrival, target: Target, value: RawValue, when: Moment): void {
    switch (target.of) {
      case 'point':
        if (value === null || typeof value === 'number') this.putValue(arrival, target, value ?? Number.NaN, when)
        else this.quarantine(arrival, 'wrong_type', `${target.point.key} must be a number`)
        return
      case 'state':
        if (!this.#putState(arrival, target, value, when)) noteUnapplied(this.batch, target.watch, target.state)
        return
      case 'setting':
        if (typeof value === 'number' && applySetting(this.batch, target.watch, target.key, value, when)) return
        this.quarantine(arrival, 'bad_setting', `setting ${target.key} cannot be ${String(value)}`)
        return
      case 'recording':
        if (value === null || !this.#timely(arrival, when)) return
        if (typeof value === 'string' && ingestRecording(this.batch, target.watch, target.recording, value, when)) return
        this.quarantine(arrival, 'bad_recording', `${target.recording.key} must be base64 of 16-bit samples`)
        return
      case 'clock':
        if (!when.historical) this.batch.clocks.set(session.gateway, value === true)
        return
      case 'signal':
        this.ingestSignal(arrival, value, when)
        return
      case 'unknown':
        countUnknown(this.#options.counters, target.name, target.family)
        return
      default:
    }
  }

  /** Values of one device by their names; `born`: they are its birth. */
  putNamed(session: GatewaySession, arrival: Arrival, device: PlantDevice, values: readonly NamedValue[], born: boolean): void {
    const now = this.#options.clock()
    for (const each of values) {
      const target = this.targetOf(device, each.name)
      if (born) announce(session, device.wireId, each, target)
      this.put(session, arrival, target, each.value, { at: each.at, receivedAt: now, historical: each.historical })
    }
    this.evaluateTouched()
    this.finishResult(session, values, now)
  }

  targetOf(device: PlantDevice, name: string): Target {
    return targetOf(device, name, (lineNo) => this.watch(device, lineNo))
  }

  #putState(arrival: Arrival, { watch, state }: Target & { of: 'state' }, value: RawValue, when: Moment): boolean {
    if (value === null || !this.#timely(arrival, when)) return false
    this.#compare(watch.stateAt.get(state.key), when)
    const code =
      typeof value === 'boolean'
        ? Number(value)
        : typeof value === 'string'
          ? state.values.findIndex(({ key }) => key === value)
          : value
    if (applyState(this.batch, watch, state, code, when)) return true
    this.quarantine(arrival, 'unknown_state', `${state.key} has no value ${String(value)}`)
    return false
  }

  putValue(arrival: Arrival, target: Target & { of: 'point' }, value: number, when: Moment): void {
    if (!this.#timely(arrival, when)) return
    this.#compare(target.watch.liveAt, when)
    const batch = this.batch
    const why = whyMissing(target.point, value)
    const row = ingestValue(batch, target.watch, target.point, why ? Number.NaN : value, when)
    if (why) this.quarantine(arrival, why, `${target.point.key} cannot be ${value}; kept as missing`)
    const last = this.#touches - 1
    if (last >= 0 && this.#touchedRows[last] === row && this.#touched[last] === target.watch) return
    this.#touched[this.#touches] = target.watch
    this.#touchedRows[this.#touches] = row
    this.#touches += 1
  }

  evaluateTest({ device, lineNo }: PlantLine, at: number): void {
    const watch = this.watch(device, lineNo)
    if (watch) evaluateTest(this.batch, watch, at)
  }

  /** How strongly the gateway hears its network. Kept twice a minute at most, however often it says so. */
  ingestSignal(arrival: Arrival, value: RawValue, { receivedAt, historical }: Moment): void {
    const { gateway } = arrival
    const { signals } = this.batch
    if (historical) return
    const before = signals.get(gateway) ?? gateway.signal
    if (value === null || Number.isNaN(value)) {
      if (before) signals.set(gateway, null)
    } else if (typeof value === 'number' && value >= weakestDbm && value <= 0) {
      // -0 is no other power than 0.
      if (!before || receivedAt - before.at >= signalEveryMs) signals.set(gateway, { dbm: Math.round(value) + 0, at: receivedAt })
    } else this.quarantine(arrival, 'bad_signal', `${wire.info.signal} is a power in dBm and cannot be ${value}`)
  }

  evaluateTouched(): void {
    const batch = this.batch
    for (let i = 0; i < this.#touches; i++) {
      const watch = this.#touched[i]
      if (watch) evaluateRow(batch, watch, this.#touchedRows[i] ?? 0)
    }
    this.#touches = 0
    if (batch.measured < batch.events.length) measureEvents(batch, (line) => this.watch(line.device, line.lineNo))
  }

  /** `command/result/*` come together in one message. */
  finishResult(session: GatewaySession, values: readonly NamedValue[], now: number): void {
    const value = (name: string) => values.find((each) => each.name === name)?.value
    const id = value(wire.result.id)
    const status = value(wire.result.status)
    if (typeof id !== 'string' || (status !== 'accepted' && status !== 'refused')) return
    const reason = value(wire.result.reason)
    const tripMs = value(wire.result.tripMs)
    this.batch.results.push({
      commandId: id,
      gateway: session.gateway,
      status,
      reason: typeof reason === 'string' && reason !== '' ? cutText(reason, 64) : null,
      tripMs: typeof tripMs === 'number' && tripMs > 0 && tripMs < maxTripMs ? Math.round(tripMs) : null,
      receivedAt: now,
    })
  }

  #compare(newestAt: number | null | undefined, when: Moment): void {
    if (newestAt != null && isSetBack(newestAt, when)) this.clockSetBack = true
  }

  #timely(arrival: Arrival, when: Moment): boolean {
    if (when.at >= sinceMs && when.at < latest) return true
    const unit = mistakenUnit(when.at, when.receivedAt, when.historical ? yearMs : hourMs)
    if (unit) this.quarantine(arrival, 'time_unit', `device time ${when.at} is in ${unit}; it must be in milliseconds`)
    else if (when.at >= earliest && when.at < latest) return true
    else this.quarantine(arrival, 'time', `device time ${when.at} is no time a reading can have`)
    return false
  }

  quarantine(arrival: Arrival, reason: string, detail: string): void {
    const { topic, payload } = arrival
    const noted = this.#noted.get(payload) ?? new Map()
    if (noted.has(reason)) return
    this.#options.counters.quarantined += 1
    const { number } = arrival.gateway
    const kept = this.#options.setAside({ number, topic, reason, detail, payload, at: this.#options.clock() })
    this.#noted.set(payload, noted.set(reason, kept))
  }

  /** What of this message was set aside: each resolves once it is kept. */
  asideOf({ payload }: Arrival): readonly Promise<void>[] {
    return [...(this.#noted.get(payload)?.values() ?? [])]
  }

  watch(device: PlantDevice, lineNo: number): LineWatch | null {
    const line = device.lines.get(lineNo)
    if (!line) return null
    const found = this.#watches.get(line.id)
    if (found) return found
    const made = newWatch(line)
    this.#watches.set(line.id, made)
    return made
  }

  /** After a commit that left some of the batch out. */
  takeBack(batch: Batch): void {
    const lines = new Set([...batch.states.keys(), ...[...batch.settings, ...batch.events].map(({ line }) => line)])
    for (const line of lines) {
      const watch = line && this.#watches.get(line.id)
      if (watch) takeBack(watch, batch)
    }
  }

  /** After rated current, family or tuning changed: limits must be made again. What is known of messages under way stays. */
  recompileWatches(lines: Iterable<PlantLine>): void {
    for (const line of lines) {
      const watch = this.#watches.get(line.id)
      if (watch) recompile(watch)
    }
  }
}
