import type { Family } from '@linewarden/equipment'
import { COUNTER_SLOT, hourMs, MEASURE_SLOTS, SLOTS } from '@linewarden/equipment'
import type { SimulatedDevice } from '../device.ts'
import type { LineReadings } from '../plant/line.ts'

/** Everything that one line, or a detector as its line 0, reported in the past; NaN is not known. */
export interface ChannelPast {
  readonly controllerId: string
  readonly lineNo: number
  readonly family: Family
  /** Hours since 1970 of the first hour. */
  readonly firstHour: number
  /** How much of each hour was reported. */
  readonly coveredMs: Float64Array
  /** Entry `hour * MEASURE_SLOTS + slot`. */
  readonly min: Float32Array
  readonly mean: Float32Array
  readonly max: Float32Array
  /** Means of the squares of the first three slots: `hour * 3 + slot`. */
  readonly square: Float32Array
  /** Ten-minute means of the voltages: `hour * 18 + phase * 6 + ten`, as early warning keeps them. */
  readonly tenVolts: Float32Array
  /** What the counter counted in each hour. */
  readonly used: Float64Array
  /** The counter at each look: quarters are made of it, which outlive single readings. */
  readonly registers: Registers
  readonly readings: KeptReadings
}

/** What a counter showed, in the order of time. */
export interface Registers {
  /** Unix ms. */
  readonly at: readonly number[]
  readonly kwh: readonly number[]
}

/** Single readings in the order of time. */
export interface KeptReadings {
  readonly at: readonly number[]
  /** Entry `reading * SLOTS + slot`; it is longer than there are readings. */
  readonly values: Float64Array
}

interface Read {
  readonly slot: number
  readonly read: () => number
  readonly readAt: (then: LineReadings) => number
}

const squares = 3
/** Every family that measures the voltages of phases has them in three slots from here on. */
const voltageSlot = 3
const tensOfHour = 6
export const tenVoltsPerHour = 3 * tensOfHour

/** Gathers what one line reads: by the hour, and as single readings where they are kept. */
export class Channel implements ChannelPast {
  readonly controllerId: string
  readonly lineNo: number
  readonly family: Family
  readonly firstHour: number
  readonly coveredMs: Float64Array
  readonly min: Float32Array
  readonly mean: Float32Array
  readonly max: Float32Array
  readonly square: Float32Array
  readonly tenVolts: Float32Array
  readonly used: Float64Array
  readonly registers = { at: [] as number[], kwh: [] as number[] }
  readonly readings = { at: [] as number[], values: new Float64Array(64 * SLOTS) }
  // A million looks each with an array of its own are work for nobody but the collector of garbage.
  readonly #now = new Float64Array(SLOTS)
  readonly #reads: readonly Read[]
  /** How much of each hour each slot was known: what a mean stands on. */
  readonly #knownMs: Float64Array
  /** Of which phases it reads the voltage. */
  readonly #voltagePhases: readonly number[]
  readonly #tenMs: Float64Array
  #counter = Number.NaN

  constructor(device: SimulatedDevice, lineNo: number, from: number, until: number) {
    const { controllerId, family, metrics } = device
    this.controllerId = controllerId
    this.lineNo = lineNo
    this.family = family
    this.firstHour = Math.floor(from / hourMs)
    const hours = Math.ceil(until / hourMs) - this.firstHour
    const floats = (size: number) => new Float32Array(hours * size).fill(Number.NaN)
    this.coveredMs = new Float64Array(hours)
    this.min = floats(MEASURE_SLOTS)
    this.mean = floats(MEASURE_SLOTS)
    this.max = floats(MEASURE_SLOTS)
    this.square = floats(squares)
    this.tenVolts = floats(tenVoltsPerHour)
    this.#tenMs = new Float64Array(hours * tenVoltsPerHour)
    this.#voltagePhases = ['a', 'b', 'c'].flatMap((letter, phase) =>
      family.points.some(({ key, slot }) => key === `voltage.${letter}` && slot === voltageSlot + phase) ? [phase] : [],
    )
    this.used = new Float64Array(hours).fill(Number.NaN)
    this.#knownMs = new Float64Array(hours * MEASURE_SLOTS)
    this.#reads = metrics.flatMap(({ metric: { when, lineNo: of, key, read, readAt } }) => {
      const point = when === 'value' && of === lineNo ? family.points.find((each) => each.key === key) : undefined
      if (!point) return []
      return [
        {
          slot: point.slot,
          read: () => Number(read() ?? Number.NaN),
          readAt: (then) => readAt?.(then) ?? Number.NaN,
        } satisfies Read,
      ]
    })
  }

  /** What it reads now, by slot; until it is read again. */
  readNow(): Float64Array {
    const values = this.#now.fill(Number.NaN)
    for (const { slot, read } of this.#reads) values[slot] = read()
    return values
  }

  /** What it read when its protection operated. */
  readAt(then: LineReadings): Float64Array {
    const values = new Float64Array(SLOTS).fill(Number.NaN)
    for (const { slot, readAt } of this.#reads) values[slot] = readAt(then)
    return values
  }

  /** It read this for so long around then. */
  add(values: Float64Array, at: number, ms: number): void {
    const hour = Math.floor(at / hourMs) - this.firstHour
    this.coveredMs[hour] = (this.coveredMs[hour] ?? 0) + ms
    for (let slot = 0; slot < MEASURE_SLOTS; slot++) this.#addTo(hour, slot, values[slot] ?? Number.NaN, ms)
    const ten = Math.floor(((at / hourMs) % 1) * tensOfHour)
    for (const phase of this.#voltagePhases) {
      const entry = hour * tenVoltsPerHour + phase * tensOfHour + ten
      addToMean(this.tenVolts, this.#tenMs, entry, values[voltageSlot + phase] ?? Number.NaN, ms)
    }
    this.#count(hour, at, values[COUNTER_SLOT] ?? Number.NaN)
  }

  keep(values: Float64Array, at: number): void {
    const { readings } = this
    const end = readings.at.push(at) * SLOTS
    if (end > readings.values.length) {
      const larger = new Float64Array(readings.values.length * 2)
      larger.set(readings.values)
      readings.values = larger
    }
    readings.values.set(values, end - SLOTS)
  }

  #addTo(hour: number, slot: number, value: number, ms: number): void {
    if (Number.isNaN(value)) return
    const entry = hour * MEASURE_SLOTS + slot
    const before = this.#knownMs[entry] ?? 0
    const [first, share] = [before === 0, ms / (before + ms)]
    this.#knownMs[entry] = before + ms
    this.min[entry] = first ? value : Math.min(this.min[entry] ?? value, value)
    this.max[entry] = first ? value : Math.max(this.max[entry] ?? value, value)
    this.mean[entry] = first ? value : (this.mean[entry] ?? value) * (1 - share) + value * share
    if (slot >= squares) return
    const square = hour * squares + slot
    this.square[square] = first ? value ** 2 : (this.square[square] ?? 0) * (1 - share) + value ** 2 * share
  }

  /** What it rose since the reading before, however long ago that was. */
  #count(hour: number, at: number, counter: number): void {
    if (Number.isNaN(counter)) return
    this.registers.at.push(at)
    this.registers.kwh.push(counter)
    const risen = counter - this.#counter
    this.#counter = counter
    if (Number.isNaN(risen)) return
    const used = this.used[hour] ?? Number.NaN
    this.used[hour] = (Number.isNaN(used) ? 0 : used) + risen
  }
}

/** Adds a stretch to a mean over time. */
function addToMean(means: Float32Array, knownMs: Float64Array, entry: number, value: number, ms: number): void {
  if (Number.isNaN(value)) return
  const before = knownMs[entry] ?? 0
  const share = ms / (before + ms)
  knownMs[entry] = before + ms
  means[entry] = before === 0 ? value : (means[entry] ?? value) * (1 - share) + value * share
}
