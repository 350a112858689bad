import type { NotEvaluated } from './finding.ts'
import { notEvaluated } from './finding.ts'
import type { LineHours, Span } from './hours.ts'
import { huberFit } from './huber-fit.ts'
import { usualPeakShare } from './line-day.ts'
import { quantileInPlace } from './statistics.ts'

/** What a family and a line's breaker say of its terminals. */
export interface ContactContext {
  readonly ratedA: number
  /** Rise of a sound terminal at rated current, K. */
  readonly riseK: number
  /** How long a terminal takes to follow the current, s. */
  readonly thermalS: number
}

/** What a contact is warmer than its neighbours at the same current. */
export interface ContactFit {
  /** At rated current, K. */
  readonly excessK: number
  readonly errorK: number
  /** Rise of the sound part at rated current, K. */
  readonly riseK: number
  /** 95th percentile of the squared share of the rated current. */
  readonly load: number
  /** Hours that were fitted. */
  readonly hours: number
}

export interface ContactFitParams {
  /** Hours below this share of the rated current say nothing of a contact. */
  readonly minCurrentShare: number
  /** 95th percentile of the squared share of the rated current below which nothing can be said. */
  readonly minLoad: number
}

export interface ContactFitQuestion extends Pick<ContactContext, 'riseK'> {
  readonly terminal: number
  readonly minHours: number
  /** `feltLoads` of the same span. */
  readonly loads: readonly Float64Array[]
}

/** How many squared units of load the family's own figure weighs against those of the week. */
const ridge = 0.5

const roomFor = (hours: number) => ({
  ...{ x: new Float64Array(hours), z: new Float64Array(hours), y: new Float64Array(hours), ordered: new Float64Array(hours) },
})
/** The rows of a fit, used again by the next one. */
let room = roomFor(0)

/** Squared shares of the rated current of each phase, as terminals feel them: an hour still has some of the one before. */
export function feltLoads({ hour, squareA2 }: LineHours, [from, to]: Span, context: ContactContext): readonly Float64Array[] {
  const rated = context.ratedA ** 2
  const carried = (context.thermalS / 3_600) * (1 - Math.exp(-3_600 / context.thermalS))
  return squareA2.map((square) => {
    const felt = new Float64Array(Math.max(0, to - from))
    for (let i = from; i < to; i++) {
      const own = (square[i] ?? Number.NaN) / rated
      const before = i > 0 && hour[i - 1] === (hour[i] ?? 0) - 1 ? (square[i - 1] ?? Number.NaN) / rated : Number.NaN
      felt[i - from] = Number.isNaN(before) ? own : own + carried * (before - own)
    }
    return felt
  })
}

/**
 * Fits what one terminal is warmer than the others against the square of its current, so that the air of the cabinet and the offset of
 * the sensor drop out. Of one phase, line and neutral carry the same current; the neutral of three carries one that nobody measures.
 */
export function fitContact(
  params: ContactFitParams,
  hours: LineHours,
  [from, to]: Span,
  { terminal, minHours, loads, riseK }: ContactFitQuestion,
): ContactFit | NotEvaluated {
  const phases = loads.length
  const comparable = phases === 1 ? Math.min(2, hours.terminalC.length) : Math.min(phases, hours.terminalC.length)
  if (comparable < 2 || terminal >= comparable) return notEvaluated('notMeasured')
  const loadOf = (each: number) => loads[Math.min(each, phases - 1)] ?? new Float64Array()
  const [ownLoad, ownC] = [loadOf(terminal), hours.terminalC[terminal] ?? new Float32Array()]
  const others = Array.from({ length: comparable }, (_, each) => each)
    .filter((each) => each !== terminal)
    .map((each) => ({ load: loadOf(each), celsius: hours.terminalC[each] ?? new Float32Array() }))
  const minLoad = params.minCurrentShare ** 2
  if (room.x.length < to - from) room = roomFor(to - from)
  const { x, z, y } = room
  let count = 0
  for (let i = 0; i < to - from; i++) {
    const load = ownLoad[i] ?? Number.NaN
    if (hours.counts[from + i] !== 1 || !(load >= minLoad)) continue
    let otherC = 0
    let otherLoad = 0
    for (const other of others) {
      otherC += other.celsius[from + i] ?? Number.NaN
      otherLoad += other.load[i] ?? Number.NaN
    }
    const above = (ownC[from + i] ?? Number.NaN) - otherC / others.length
    const more = load - otherLoad / others.length
    if (Number.isNaN(above) || Number.isNaN(more)) continue
    x[count] = load
    z[count] = more
    y[count] = above
    count++
  }
  if (count < minHours) return notEvaluated('coverage', count, minHours)
  const rows = { x: x.subarray(0, count), z: z.subarray(0, count), y: y.subarray(0, count) }
  const ordered = room.ordered.subarray(0, count)
  ordered.set(rows.x)
  const load = quantileInPlace(ordered, usualPeakShare)
  if (load < params.minLoad) return notEvaluated('lowLoad', load, params.minLoad)
  const fit = huberFit(rows, { k: riseK, ridge })
  if (!fit) return notEvaluated('constantLoad')
  return { excessK: fit.e, errorK: fit.eError, riseK: fit.k, load, hours: count }
}
