import { hourMs } from '@linewarden/equipment'
import type { LinePlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { loadShare, powerFactorOf } from './load-profile.ts'

export type TripCause =
  | 'none'
  | 'leakage'
  | 'short'
  | 'overload'
  | 'overvoltage'
  | 'undervoltage'
  | 'overtemperature'
  | 'arc'
  | 'manual'
  | 'remote'
  | 'selfTest'

/** A breaker's line: what is connected to it, what its protection does, what its sensors feel. */
export interface SimulatedLine {
  readonly plan: LinePlan
  readonly phases: 1 | 3
  readonly traits: LineTraits
  position: 'open' | 'closed'
  tripCause: TripCause
  localLock: boolean
  selfTest: 'notDone' | 'running' | 'passed' | 'failed'
  /** By key; what is not here is the family's default. */
  readonly settings: Map<string, number>
  /** Per phase. */
  readonly currentA: number[]
  readonly voltageV: number[]
  readonly powerKw: number[]
  /** Per phase, and the neutral last. */
  readonly temperatureC: number[]
  residualMa: number
  powerFactor: number
  energyKwh: number
  /** Faults that scenarios put in. */
  readonly fault: {
    loadFactor: number
    leakageMa: number
    contact: number[]
    voltageFactor: number
    /** What the residual-current release does when it is tested. */
    release: 'sound' | 'slow' | 'stuck'
    /** The mechanism moves and measures; the contacts stay closed. */
    welded: boolean
  }
  /** Since when the current is beyond the overload setting, Unix ms. */
  overloadedSince: number | null
  /** Since when the voltage is beyond its settings, Unix ms. */
  voltageBadSince: number | null
  /** Point values and states a test or a replay insists on. */
  readonly forced: Map<string, number>
  readonly forcedStates: Map<string, string>
}

/** What the line's model and family make of it. */
export interface LineTraits {
  readonly supplyV: number
  /** It senses residual current. */
  readonly leakage: boolean
}

const ambientC = 26
/** Rise at rated current of a sound contact, in kelvin; the clamp's temperature follows the square of the current. */
const riseAtRatedK = 32
const thermalSeconds = 90

/** How long a voltage must be beyond its setting before the breaker opens; a start of a motor is shorter (ours). */
const voltageTripMs = 3_000
/** Below this share of the supply there is no voltage to protect from: a dead line does not trip. */
const noSupplyShare = 0.2

const usual: LineTraits = { supplyV: 230, leakage: true }

export function newLine(plan: LinePlan, phases: 1 | 3, random: Random, traits = usual): SimulatedLine {
  return {
    plan,
    phases,
    traits,
    position: 'closed',
    tripCause: 'none',
    localLock: false,
    selfTest: 'passed',
    settings: new Map(Object.entries(plan.settings ?? {})),
    currentA: Array<number>(phases).fill(0),
    voltageV: Array<number>(phases).fill(traits.supplyV),
    powerKw: Array<number>(phases).fill(0),
    temperatureC: Array<number>(phases + 1).fill(ambientC + random() * 4),
    residualMa: 2 + random() * 12,
    powerFactor: powerFactorOf[plan.load],
    energyKwh: Math.round(random() * 40_000) + 500,
    fault: {
      loadFactor: 1,
      leakageMa: 0,
      contact: Array<number>(phases + 1).fill(1),
      voltageFactor: 1,
      release: 'sound',
      welded: false,
    },
    overloadedSince: null,
    voltageBadSince: null,
    forced: new Map(),
    forcedStates: new Map(),
  }
}

/** Moves the line on by `dtMs`. Answers the cause if its protection has just operated, else null. */
export function stepLine(line: SimulatedLine, dtMs: number, now: number, random: Random): TripCause | null {
  const share = loadShare(line.plan.load, now) * line.fault.loadFactor
  const closed = line.position === 'closed'
  let neutral = 0
  for (let phase = 0; phase < line.phases; phase++) {
    const wobble = 0.94 + random() * 0.12
    const imbalance = 1 + 0.06 * Math.sin(phase * 2.1 + line.plan.lineNo)
    const current = closed ? line.plan.ratedCurrentA * share * wobble * imbalance : 0
    const swing = (Math.sin(now / 600_000 + phase) * 2.5 + (random() - 0.5)) / 230
    const voltage = line.traits.supplyV * (1 + swing) * line.fault.voltageFactor
    line.currentA[phase] = current
    line.voltageV[phase] = voltage
    line.powerKw[phase] = (voltage * current * line.powerFactor) / 1000
    warm(line, phase, current, dtMs)
    neutral = Math.max(neutral, current * (line.phases === 1 ? 1 : 0.18))
  }
  warm(line, line.phases, neutral, dtMs)
  line.powerFactor = Math.min(1, Math.max(0.5, powerFactorOf[line.plan.load] + (random() - 0.5) * 0.02))
  const baseLeakageMa = closed ? 3 + (line.plan.ratedCurrentA / 63) * 4 + random() * 1.5 : 0
  line.residualMa = closed ? baseLeakageMa + line.fault.leakageMa : 0
  line.energyKwh += (totalKw(line) * dtMs) / hourMs
  return closed ? protect(line, now) : null
}

export const totalKw = (line: SimulatedLine): number => line.powerKw.reduce((sum, each) => sum + each, 0)

/** First-order lag towards ambient plus the rise that the square of the current makes at this contact. */
function warm(line: SimulatedLine, contact: number, current: number, dtMs: number): void {
  const square = (current / line.plan.ratedCurrentA) ** 2
  const target = ambientC + riseAtRatedK * square * (line.fault.contact[contact] ?? 1)
  const before = line.temperatureC[contact] ?? ambientC
  line.temperatureC[contact] = before + (target - before) * (1 - Math.exp(-dtMs / 1000 / thermalSeconds))
}

/** The breaker's own protection, hard-wired and first: nothing the server does comes before it. */
function protect(line: SimulatedLine, now: number): TripCause | null {
  const { ratedCurrentA } = line.plan
  const level = (key: string, usually: number) => line.settings.get(key) ?? usually
  const highest = Math.max(...line.currentA)
  if (highest > 8 * ratedCurrentA) return open(line, 'short')
  if (line.traits.leakage && line.residualMa >= level('leakage.trip', 300)) return open(line, 'leakage')
  const voltage = badVoltage(line)
  line.voltageBadSince = voltage === null ? null : (line.voltageBadSince ?? now)
  if (voltage !== null && now - (line.voltageBadSince ?? now) >= voltageTripMs) return open(line, voltage)
  if (highest <= level('overload.trip', 1.1 * ratedCurrentA)) {
    line.overloadedSince = null
    return null
  }
  line.overloadedSince ??= now
  return now - line.overloadedSince >= level('overload.delay', 60) * 1000 ? open(line, 'overload') : null
}

/** Protection against voltage works where it is set. */
function badVoltage({ voltageV, settings, traits }: SimulatedLine): 'overvoltage' | 'undervoltage' | null {
  const [over, under] = [settings.get('overvoltage'), settings.get('undervoltage')]
  if (over !== undefined && Math.max(...voltageV) > over) return 'overvoltage'
  const lowest = Math.min(...voltageV)
  return under !== undefined && lowest < under && lowest > traits.supplyV * noSupplyShare ? 'undervoltage' : null
}

/** Opens the line, unless its contacts are welded. Answers the cause. */
export function open(line: SimulatedLine, cause: TripCause): TripCause {
  line.tripCause = cause
  line.overloadedSince = null
  line.voltageBadSince = null
  if (line.fault.welded) return cause
  line.position = 'open'
  for (let phase = 0; phase < line.phases; phase++) {
    line.currentA[phase] = 0
    line.powerKw[phase] = 0
  }
  line.residualMa = 0
  return cause
}

export function close(line: SimulatedLine): void {
  line.position = 'closed'
  line.tripCause = 'none'
}

/**
 * Tests the residual-current release with a test current at IDn: a sound one trips within 300 ms (IEC 61009), a slow one trips too late, a
 * stuck one not at all. Answers how long it took in ms; null when it did not trip.
 */
export function testRelease(line: SimulatedLine, random: Random): number | null {
  const { release } = line.fault
  if (release === 'stuck') {
    line.selfTest = 'failed'
    return null
  }
  const tripMs = Math.round(release === 'slow' ? 380 + random() * 200 : 25 + random() * 60)
  line.selfTest = tripMs <= 300 ? 'passed' : 'failed'
  open(line, 'selfTest')
  return tripMs
}
