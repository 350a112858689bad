import type { LineHours } from '@linewarden/rules/warning'
import type { Dice } from './dice.ts'
import { diceOf, wandering } from './dice.ts'

/** What is wrong with a line, known because it was put there. Days are those of its hours; figures are at the wire. */
export type TrueFault =
  | { readonly kind: 'leakageStep'; readonly startHour: number; readonly sizeMa: number }
  | { readonly kind: 'leakageDrift'; readonly startHour: number; readonly perDayMa: number }
  /** `atRatedK` grows by `perDayK`. */
  | {
      readonly kind: 'hotContact'
      readonly startHour: number
      readonly terminal: number
      readonly atRatedK: number
      readonly perDayK: number
    }
  /** Each week by this share of the week before. */
  | { readonly kind: 'loadGrowth'; readonly startHour: number; readonly perWeek: number }

/** How a line is made, before anything is wrong with it. */
export interface LineMake {
  readonly phases: 1 | 3
  readonly ratedA: number
  readonly tripMa: number
  /** 95th percentile of its hourly maxima in the season when it carries most, as a share of its rated current. */
  readonly peakShare: number
  readonly profile: readonly number[]
  readonly restShare: number
  readonly seasonShare: number
  readonly seasonDay: number
  /** Share of IΔn that always leaks, and that follows the load. */
  readonly leakShare: number
  readonly leakByLoad: number
  readonly humidityShare: number
}

export interface LineTruth {
  readonly make: LineMake
  readonly hours: LineHours
}

/** Rise of a sound terminal at rated current, and how fast it follows: as the breakers of the simulator. */
export const riseK = 32
export const thermalS = 90
export const contactPoints = {
  1: ['temperature.a', 'temperature.n'],
  3: ['temperature.a', 'temperature.b', 'temperature.c'],
} as const
export const currentPoints = { 1: ['current.a'], 3: ['current.a', 'current.b', 'current.c'] } as const

/** Shares of the highest load by hour of the local day. */
const profiles: readonly [readonly number[], ...(readonly number[])[]] = [
  // Office, dwelling, workshop, cold store, lighting.
  [
    0.15, 0.15, 0.15, 0.15, 0.15, 0.16, 0.22, 0.4, 0.75, 0.93, 1, 1, 0.82, 0.9, 1, 1, 0.93, 0.82, 0.6, 0.43, 0.32, 0.25, 0.18,
    0.16,
  ],
  [
    0.33, 0.27, 0.23, 0.22, 0.22, 0.25, 0.42, 0.58, 0.5, 0.43, 0.43, 0.57, 0.63, 0.5, 0.47, 0.47, 0.53, 0.7, 0.92, 1, 0.97, 0.83,
    0.63, 0.47,
  ],
  [0.1, 0.1, 0.1, 0.1, 0.1, 0.12, 0.3, 0.8, 1, 1, 0.95, 0.9, 0.5, 0.9, 1, 1, 0.95, 0.8, 0.4, 0.2, 0.15, 0.1, 0.1, 0.1],
  [
    0.7, 0.68, 0.66, 0.65, 0.65, 0.66, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1, 1, 0.98, 0.95, 0.9, 0.86, 0.82, 0.78, 0.75, 0.72,
    0.7,
  ],
  [0.55, 0.5, 0.5, 0.5, 0.5, 0.52, 0.6, 0.62, 0.55, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.55, 0.65, 0.85, 1, 1, 0.95, 0.85, 0.75, 0.62],
]

export function makeLine(dice: Dice): LineMake {
  const phases = dice.chance(0.5) ? 1 : 3
  return {
    phases,
    ratedA: phases === 1 ? dice.of([16, 20, 25, 32]) : dice.of([25, 40, 63, 100]),
    tripMa: phases === 1 ? dice.of([30, 30, 100]) : dice.of([100, 300, 300, 500]),
    peakShare: dice.between(0.2, 0.75),
    profile: dice.of(profiles),
    restShare: dice.between(0.4, 1),
    seasonShare: dice.between(0, 0.15),
    seasonDay: dice.between(0, 365),
    leakShare: dice.between(0.03, 0.15),
    leakByLoad: dice.between(0, 0.05),
    humidityShare: dice.between(0.05, 0.2),
  }
}

/** One hour that cannot be drawn from the others: it is missing, the line is open, or the clock is off. */
const badStretches = { everyHours: 400, maxHours: 16 } as const
/** What the highest hours of a week have above the middle of a highest hour: the weather of the day, the moment within the hour. */
const highestHours = 1.25
/** Days between two changes of what is plugged in, and how much of IΔn the largest leaks. */
const applianceDays = 60
const applianceShare = 0.04
const noise = {
  loadOfDay: 0.08,
  loadOfHour: 0.1,
  phaseOfLine: 0.08,
  phaseOfDay: 0.03,
  contact: 0.04,
  offsetK: 1,
  temperatureK: 0.5,
} as const

/** Hours of a line over these days, with what is wrong with it. The same seed makes the same line, whatever is wrong. */
export function lineTruth(seed: number, days: number, make: LineMake, faults: readonly TrueFault[] = []): LineTruth {
  const dice = diceOf(seed)
  const count = days * 24
  const terminals = make.phases === 1 ? 2 : 3
  const columns = (wide: number) => Array.from({ length: wide }, () => new Float32Array(count))
  const hours: LineHours = {
    hour: Int32Array.from({ length: count }, (_, hour) => hour),
    day: Int32Array.from({ length: count }, (_, hour) => Math.floor(hour / 24)),
    slot: Uint8Array.from({ length: count }, (_, hour) => (hour % 24) + (isRestDay(Math.floor(hour / 24)) ? 24 : 0)),
    counts: goodHours(diceOf(seed + 1), count),
    squareA2: columns(make.phases),
    maxA: columns(make.phases),
    terminalC: columns(terminals),
    residualMa: new Float32Array(count),
  }
  const load = drawLoad(dice, make, hours, faults)
  drawTemperatures(dice, make, hours, faults)
  drawLeakage(diceOf(seed + 2), make, hours, load, faults)
  return { make, hours }
}

const isRestDay = (day: number): boolean => day % 7 >= 5

function goodHours(dice: Dice, count: number): Uint8Array {
  const good = new Uint8Array(count).fill(1)
  for (let hour = 0; hour < count; hour += 1 + Math.floor(dice.between(0, 2 * badStretches.everyHours)))
    good.fill(0, hour, hour + Math.ceil(dice.between(0, badStretches.maxHours)))
  return good
}

/** Draws the currents; answers the share of the highest load by hour. */
function drawLoad(dice: Dice, make: LineMake, { squareA2, maxA, day }: LineHours, faults: readonly TrueFault[]): Float64Array {
  const ofDay = wandering(dice, 0.5)
  const ofPhase = squareA2.map(() => ({ line: 1 + noise.phaseOfLine * dice.normal(), day: wandering(dice, 0.8), today: 0 }))
  const load = new Float64Array(day.length)
  const highestA = (make.peakShare * make.ratedA) / (highestHours * (1 + make.seasonShare))
  let today = 0
  for (let hour = 0; hour < day.length; hour++) {
    if (hour % 24 === 0) {
      const season = 1 + make.seasonShare * Math.sin((2 * Math.PI * ((day[hour] ?? 0) - make.seasonDay)) / 365)
      today = season * (isRestDay(day[hour] ?? 0) ? make.restShare : 1) * Math.max(0.3, 1 + noise.loadOfDay * ofDay())
      for (const phase of ofPhase) phase.today = noise.phaseOfDay * phase.day()
    }
    const share = (make.profile[hour % 24] ?? 0) * today * grown(faults, hour)
    load[hour] = share
    for (const [phase, { line, today: own }] of ofPhase.entries()) {
      const mean = Math.max(0, highestA * share * (line + own) * (1 + noise.loadOfHour * dice.normal()))
      const within = dice.between(0.02, 0.1)
      ;(squareA2[phase] as Float32Array)[hour] = mean ** 2 * (1 + within ** 2)
      ;(maxA[phase] as Float32Array)[hour] = mean * (1 + within * dice.between(1, 2.5))
    }
  }
  return load
}

/** By how much a load has grown until this hour. */
export const grown = (faults: readonly TrueFault[], hour: number): number =>
  faults.reduce(
    (factor, fault) =>
      fault.kind === 'loadGrowth' ? factor * (1 + fault.perWeek) ** (Math.max(0, hour - fault.startHour) / 168) : factor,
    1,
  )

function drawTemperatures(
  dice: Dice,
  { ratedA }: LineMake,
  { squareA2, terminalC, day }: LineHours,
  faults: readonly TrueFault[],
): void {
  const weather = wandering(dice, 0.9)
  const terminals = terminalC.map((column, terminal) => ({
    column,
    square: squareA2[Math.min(terminal, squareA2.length - 1)] ?? new Float32Array(),
    rise: riseK * (1 + noise.contact * dice.normal()),
    offset: noise.offsetK * dice.normal(),
    faults: faults.filter((fault) => fault.kind === 'hotContact' && fault.terminal === terminal),
  }))
  const carried = (thermalS / 3_600) * (1 - Math.exp(-3_600 / thermalS))
  let today = 0
  for (let hour = 0; hour < day.length; hour++) {
    if (hour % 24 === 0) today = 26 + 6 * Math.sin((2 * Math.PI * (day[hour] ?? 0)) / 365) + 3 * weather()
    const air = today + 3 * Math.sin((2 * Math.PI * ((hour % 24) - 9)) / 24)
    for (const { column, square, rise, offset, faults: own } of terminals) {
      const now = square[hour] ?? 0
      const felt = (now + carried * ((square[hour - 1] ?? now) - now)) / ratedA ** 2
      const excess = own.reduce((sum, fault) => sum + excessK(fault, hour), 0)
      const value = air + (rise + excess) * felt + offset + noise.temperatureK * dice.normal()
      column[hour] = Math.round(value * 10) / 10
    }
  }
}

/** What a contact is warmer at rated current in this hour. */
export const excessK = (fault: TrueFault, hour: number): number =>
  fault.kind === 'hotContact' && hour >= fault.startHour ? fault.atRatedK + (fault.perDayK * (hour - fault.startHour)) / 24 : 0

/** What leaks more than in a sound line in this hour, mA. */
export function leakageMa(fault: TrueFault, hour: number): number {
  if (fault.kind === 'leakageStep') return hour >= fault.startHour ? fault.sizeMa : 0
  if (fault.kind === 'leakageDrift') return hour >= fault.startHour ? (fault.perDayMa * (hour - fault.startHour)) / 24 : 0
  return 0
}

function drawLeakage(
  dice: Dice,
  make: LineMake,
  { residualMa, day }: LineHours,
  load: Float64Array,
  faults: readonly TrueFault[],
): void {
  const humidity = wandering(dice, 0.8)
  let [damp, plugged] = [1, 0]
  for (let hour = 0; hour < day.length; hour++) {
    if (hour % 24 === 0) damp = Math.max(0.3, 1 + make.humidityShare * humidity())
    if (dice.chance(1 / (24 * applianceDays))) plugged = applianceShare * dice.between(-1, 1)
    const sound = make.tripMa * Math.max(0, make.leakShare * damp + plugged + make.leakByLoad * (load[hour] ?? 0))
    const wrong = faults.reduce((sum, fault) => sum + leakageMa(fault, hour), 0)
    residualMa[hour] = Math.max(0, Math.round(10 * (sound * (1 + 0.03 * dice.normal()) + wrong)) / 10)
  }
}
