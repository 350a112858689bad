import { hourMs } from '@linewarden/equipment'
import type { LinePlan, TripCause } from '../plan.ts'
import type { Random } from '../random.ts'
import { cabinetAirC, loadShare } from './load-profile.ts'
import type { SupplyFault } from './supply.ts'
import { soundSupply } from './supply.ts'
import { weatherAt } from './weather.ts'

/** What a line's instruments read at one moment. */
export interface LineReadings {
  /** Per phase. */
  readonly currentA: number[]
  readonly voltageV: number[]
  readonly powerKw: number[]
  /** Per phase, and the neutral last. */
  readonly temperatureC: number[]
  residualMa: number
  /** null: nothing flows that it could be measured on. */
  powerFactor: number | null
}

/** A breaker's line: what is connected to it, what its protection does, what its sensors feel. */
export interface SimulatedLine extends LineReadings {
  readonly plan: LinePlan
  readonly phases: 1 | 3
  readonly traits: LineTraits
  /** The phase of its board that a single-phase line is connected to, and of a three-phase one that leaks: 0, 1 or 2. */
  phase: number
  position: 'open' | 'closed'
  tripCause: TripCause
  localLock: boolean
  selfTest: 'notDone' | 'running' | 'passed' | 'failed'
  /** By key; what is not here is the family's default. */
  readonly settings: Map<string, number>
  /** What its own loads take at nominal voltage, in amperes per phase; a feeder has none of its own. */
  readonly demandA: number[]
  /** What leaks over its insulation at nominal voltage, sound or aged. */
  soundLeakageMa: number
  /** How far each phase's load is from its usual share just now. */
  readonly wander: number[]
  energyKwh: number
  /** What was read when its protection operated last, until that has been reported. */
  tripReadings: LineReadings | null
  /** Faults that scenarios put in. */
  readonly fault: LineFault
  /** Since when the current is beyond the overload setting, Unix ms. */
  overloadedSince: number | null
  /** Since when the voltage is beyond its settings, Unix ms. */
  voltageBadSince: number | null
  /** Point values and states a test or a replay insists on. */
  readonly forced: Map<string, number>
  readonly forcedStates: Map<string, string>
}

export interface LineFault extends SupplyFault {
  loadFactor: number
  leakageMa: number
  /** What aged insulation leaks beyond sound, and by which share more in the dampest air. */
  aged: { readonly leakageMa: number; readonly damp: number }
  /** What each contact heats beyond a sound one, in kelvin at rated current. */
  contactExcessK: number[]
  /** What the residual-current release does when it is tested: how long it takes, and how much longer at each test. */
  release: 'sound' | 'stuck' | { readonly ms: number; readonly rise: number }
  /** The mechanism moves and measures; the contacts stay closed. */
  welded: boolean
  /** What its counter counts of each kilowatt hour. */
  meterFactor: number
}

/** What the line's model and family make of it. */
export interface LineTraits {
  readonly supplyV: number
  /** It senses residual current. */
  readonly leakage: boolean
}

/** Rise at rated current of a sound contact, in kelvin; the clamp's temperature follows the square of the current. */
const riseAtRatedK = 32
const thermalSeconds = 90
/** By which share sound insulation leaks more in the dampest air. */
const dampShare = 0.18
/** How far a load wanders from its usual share, and how soon it is somewhere else. */
const wanderShare = 0.025
const wanderSeconds = 30

/** How long a voltage must be beyond its setting before the breaker opens; a start of a motor is shorter (ours). */
const voltageTripMs = 3_000
/** Below this share of the supply there is no voltage to protect from: a dead line does not trip. */
const noSupplyShare = 0.2

const usual: LineTraits = { supplyV: 230, leakage: true }

export const soundLine = (phases: number): LineFault => ({
  ...soundSupply(),
  loadFactor: 1,
  leakageMa: 0,
  aged: { leakageMa: 0, damp: 0 },
  contactExcessK: Array<number>(phases + 1).fill(0),
  release: 'sound',
  welded: false,
  meterFactor: 1,
})

export function newLine(plan: LinePlan, phases: 1 | 3, random: Random, traits = usual): SimulatedLine {
  const each = (value: number) => Array<number>(phases).fill(value)
  const { begins } = plan
  return {
    plan,
    phases,
    traits,
    phase: 0,
    position: begins?.position ?? 'closed',
    tripCause: begins?.tripCause ?? 'none',
    localLock: begins?.localLock ?? false,
    selfTest: begins?.selfTest ?? 'notDone',
    settings: new Map(Object.entries({ ...plan.settings, ...begins?.settings })),
    demandA: each(0),
    soundLeakageMa: 0,
    wander: each(0),
    currentA: each(0),
    voltageV: each(traits.supplyV),
    powerKw: each(0),
    temperatureC: Array<number>(phases + 1).fill(26 + random() * 4),
    residualMa: 0,
    powerFactor: null,
    energyKwh: begins?.energyKwh ?? Math.round(random() * 40_000) + 500,
    tripReadings: null,
    fault: soundLine(phases),
    overloadedSince: null,
    voltageBadSince: null,
    forced: new Map(),
    forcedStates: new Map(),
  }
}

/** What its loads want now: the usual share of the hour, a little to one side or the other on each phase. */
export function stepDemand(line: SimulatedLine, dtMs: number, now: number, random: Random): void {
  const { plan, phases, fault, demandA, wander } = line
  const share = loadShare(plan, now) * fault.loadFactor
  const kept = Math.exp(-dtMs / 1000 / wanderSeconds)
  for (let phase = 0; phase < phases; phase++) {
    // The sum of three even chances is nearly normal and never far out.
    const chance = 2 * (random() + random() + random() - 1.5)
    wander[phase] = (wander[phase] ?? 0) * kept + wanderShare * chance * Math.sqrt(1 - kept ** 2)
    const imbalance = 1 + 0.06 * Math.sin(phase * 2.1 + plan.lineNo)
    demandA[phase] = plan.ratedCurrentA * share * imbalance * (1 + (wander[phase] ?? 0))
  }
  const { damper } = weatherAt(now)
  const { aged } = fault
  const usualMa = (3 + (plan.ratedCurrentA / 63) * 4) * (1 + dampShare * damper) + random() * 0.6
  line.soundLeakageMa = usualMa + aged.leakageMa * (1 + aged.damp * damper)
}

/** What its contacts and its meter make of the time that has passed; the readings are those of its end. */
export function stepSensors(line: SimulatedLine, neutralA: number, dtMs: number, now: number): void {
  for (let contact = 0; contact <= line.phases; contact++)
    warm(line, contact, contact === line.phases ? neutralA : (line.currentA[contact] ?? 0), dtMs, now)
  line.energyKwh += (totalKw(line) * line.fault.meterFactor * dtMs) / hourMs
}

export const totalKw = ({ powerKw }: LineReadings): number => powerKw.reduce((sum, each) => sum + each, 0)

/** First-order lag towards the cabinet's air plus the rise that the square of the current makes at this contact. */
function warm(line: SimulatedLine, contact: number, current: number, dtMs: number, now: number): void {
  const square = (current / line.plan.ratedCurrentA) ** 2
  const target = cabinetAirC(now) + (riseAtRatedK + (line.fault.contactExcessK[contact] ?? 0)) * square
  const before = line.temperatureC[contact] ?? target
  line.temperatureC[contact] = before + (target - before) * (1 - Math.exp(-dtMs / 1000 / thermalSeconds))
}

/** The breaker's own protection, hard-wired and first: nothing the server does comes before it. Answers the cause if it has just operated. */
export function protect(line: SimulatedLine, now: number): TripCause | null {
  const { ratedCurrentA } = line.plan
  const highest = Math.max(...line.currentA)
  if (highest > 8 * ratedCurrentA) return trip(line, 'short')
  if (line.traits.leakage && line.residualMa >= leakageTripMa(line)) return trip(line, 'leakage')
  const voltage = badVoltage(line)
  line.voltageBadSince = voltage === null ? null : (line.voltageBadSince ?? now)
  if (voltage !== null && now - (line.voltageBadSince ?? now) >= voltageTripMs) return trip(line, voltage)
  if (highest <= (line.settings.get('overload.trip') ?? 1.1 * ratedCurrentA)) {
    line.overloadedSince = null
    return null
  }
  line.overloadedSince ??= now
  return now - line.overloadedSince >= (line.settings.get('overload.delay') ?? 60) * 1000 ? trip(line, 'overload') : null
}

export const leakageTripMa = ({ settings }: SimulatedLine): number => settings.get('leakage.trip') ?? 300

/** Protection against voltage works where it is set. */
function badVoltage({ voltageV, settings, traits }: SimulatedLine): 'overvoltage' | 'undervoltage' | null {
  const [highest, lowest] = [settings.get('overvoltage'), settings.get('undervoltage')]
  if (highest !== undefined && Math.max(...voltageV) > highest) return 'overvoltage'
  const least = Math.min(...voltageV)
  return lowest !== undefined && least < lowest && least > traits.supplyV * noSupplyShare ? 'undervoltage' : null
}

/** Its protection opens it. What it read in that moment, with `peak` for what rose too fast to be read before, is kept until it is reported. */
export function trip(line: SimulatedLine, cause: TripCause, peak: Partial<LineReadings> = {}): TripCause {
  if (line.position === 'closed') line.tripReadings = { ...readingsOf(line), ...peak }
  return open(line, cause)
}

const readingsOf = (line: SimulatedLine): LineReadings => ({
  currentA: [...line.currentA],
  voltageV: [...line.voltageV],
  powerKw: [...line.powerKw],
  temperatureC: [...line.temperatureC],
  residualMa: line.residualMa,
  powerFactor: line.powerFactor,
})

/** Opens the line, unless its contacts are welded. Answers the cause. */
export function open(line: SimulatedLine, cause: TripCause): TripCause {
  line.tripCause = cause
  line.overloadedSince = null
  line.voltageBadSince = null
  if (!line.fault.welded) line.position = 'open'
  return cause
}

export function close(line: SimulatedLine): void {
  line.position = 'closed'
  line.tripCause = 'none'
}

/**
 * Tests the residual-current release with a test current at IDn: a sound one trips within 300 ms (IEC 61009), a worn one later, a stuck one
 * not at all. Answers how long it took in ms; null when it did not trip.
 */
export function testRelease(line: SimulatedLine, random: Random): number | null {
  const { release } = line.fault
  if (release === 'stuck') {
    line.selfTest = 'failed'
    return null
  }
  const tripMs = Math.round(release === 'sound' ? 25 + random() * 60 : release.ms * (0.98 + 0.04 * random()))
  if (release !== 'sound') line.fault.release = { ...release, ms: release.ms + release.rise }
  line.selfTest = tripMs <= 300 ? 'passed' : 'failed'
  open(line, 'selfTest')
  return tripMs
}
