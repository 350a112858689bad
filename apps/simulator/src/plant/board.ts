import { usualSupplyV } from '@linewarden/equipment'
import type { Random } from '../random.ts'
import type { SimulatedLine } from './line.ts'
import { protect, stepDemand, stepSensors } from './line.ts'
import { powerFactorOf } from './load-profile.ts'
import type { Phasor } from './phasor.ts'
import { magnitude, minus, phasor, plus, scaled, times, zero } from './phasor.ts'
import type { Supply, SupplyFault } from './supply.ts'
import { dead, faulty, grid, soundSupply } from './supply.ts'

/** The lines of one cabinet as they are wired: what comes in at the top divides downstream, and comes together again in each feeder. */
export interface Board {
  /** Every line after what feeds it. */
  readonly circuits: readonly Circuit[]
  readonly fault: SupplyFault & {
    /** Whatever feeds the board from outside is off. */
    outage: boolean
  }
}

interface Circuit {
  readonly line: SimulatedLine
  readonly upstream: Circuit | null
  readonly downstream: Circuit[]
  supply: Supply
  /** What flows through it, phase by phase of the board, and what it leaks to earth. */
  current: Phasor[]
  leakage: Phasor
}

/** A current below this share of the rated one turns no meter: there is no power factor of nothing. */
const noCurrentShare = 0.002
const maxSteps = 4

/** `upstreamOf`: the line that feeds a line; absent: the supply of the board does, or one of its own that no line of the board feeds. */
export function newBoard(
  lines: readonly SimulatedLine[],
  upstreamOf: ReadonlyMap<SimulatedLine, SimulatedLine> = new Map(),
): Board {
  const made = new Map<SimulatedLine, Circuit>()
  const circuitOf = (line: SimulatedLine): Circuit => {
    const found = made.get(line)
    if (found) return found
    const feeder = upstreamOf.get(line)
    const upstream = feeder ? circuitOf(feeder) : null
    const circuit = { line, upstream, downstream: [], supply: dead, current: [zero, zero, zero], leakage: zero }
    upstream?.downstream.push(circuit)
    made.set(line, circuit)
    return circuit
  }
  let next = 0
  for (const line of lines) {
    circuitOf(line)
    // An electrician spreads single-phase lines over the three phases.
    line.phase = (line.phases === 1 ? next++ : line.plan.lineNo - 1) % 3
  }
  return { circuits: [...made.values()], fault: { ...soundSupply(), outage: false } }
}

/** Moves all lines on by `dtMs`. Answers whether the protection of one has just operated. */
export function stepBoard(board: Board, dtMs: number, now: number, random: Random): boolean {
  for (const { line } of board.circuits) stepDemand(line, dtMs, now, random)
  settle(board, now)
  for (const circuit of board.circuits) stepSensors(circuit.line, neutralA(circuit), dtMs, now)
  let operated = false
  // What opens takes its share off what feeds it, which may then stay closed; what closes on a fault opens in the next step.
  for (let step = 0; step < maxSteps; step++) {
    const last = board.circuits.findLast(({ line }) => line.position === 'closed' && protect(line, now) !== null)
    if (!last) break
    operated = true
    settle(board, now)
  }
  return operated
}

/** Makes every reading agree with where the switches stand now. */
export function settle(board: Board, now: number): void {
  const { circuits, fault } = board
  const incoming = fault.outage ? dead : grid(usualSupplyV, now)
  const roots = circuits.filter(({ upstream }) => upstream === null)
  const source = faulty(incoming, fault, () => admittancesOf(roots))
  for (const circuit of circuits) {
    const { line, upstream } = circuit
    const before = upstream === null ? sourceOf(line, source, now) : upstream.line.position === 'closed' ? upstream.supply : dead
    circuit.supply = faulty(before, line.fault, () => admittancesOf([circuit]))
  }
  for (const circuit of circuits.toReversed()) flow(circuit)
  for (const circuit of circuits) read(circuit)
}

/** A breaker for direct current has a rectifier with a battery upstream, which no line of the board feeds. */
function sourceOf({ traits }: SimulatedLine, source: Supply, now: number): Supply {
  return isDirect(traits.supplyV) ? grid(traits.supplyV, now) : source
}

const isDirect = (supplyV: number): boolean => supplyV < 100
/** A model between phases measures the sides of the triangle. */
const isBetweenPhases = (supplyV: number): boolean => supplyV > 300
const nominalOf = ({ traits }: SimulatedLine): number => (isBetweenPhases(traits.supplyV) ? usualSupplyV : traits.supplyV)

const phasesOf = ({ phases, phase }: SimulatedLine): readonly number[] => (phases === 3 ? [0, 1, 2] : [phase])

/** What the loads downstream of these circuits are, as far as they are connected. */
function admittancesOf(circuits: readonly Circuit[]): readonly Phasor[] {
  const sum = [zero, zero, zero]
  for (const { line, downstream } of circuits) {
    if (line.position === 'open') continue
    const own = downstream.length > 0 ? admittancesOf(downstream) : loadsOf(line)
    for (const [phase, admittance] of own.entries()) sum[phase] = plus(sum[phase] ?? zero, admittance)
  }
  return sum
}

function loadsOf(line: SimulatedLine): readonly Phasor[] {
  const angle = isDirect(line.traits.supplyV) ? 0 : -Math.acos(powerFactorOf[line.plan.load])
  const loads = [zero, zero, zero]
  for (const [index, phase] of phasesOf(line).entries())
    loads[phase] = phasor((line.demandA[index] ?? 0) / nominalOf(line), angle)
  return loads
}

/** What flows through a closed line: its own loads, or of a feeder what flows downstream of it. */
function flow(circuit: Circuit): void {
  const { line, downstream, supply } = circuit
  const { volts, broken } = supply
  if (line.position === 'open') {
    circuit.current = [zero, zero, zero]
    circuit.leakage = zero
    return
  }
  const loads = loadsOf(line)
  circuit.current = volts.map((each, phase) =>
    downstream.length > 0
      ? downstream.reduce((sum, branch) => plus(sum, branch.current[phase] ?? zero), zero)
      : broken[phase]
        ? zero
        : times(each, loads[phase] ?? zero),
  )
  const leaking = scaled(volts[line.phase] ?? zero, (line.soundLeakageMa + line.fault.leakageMa) / nominalOf(line))
  circuit.leakage = downstream.reduce((sum, branch) => plus(sum, branch.leakage), leaking)
}

function read({ line, supply, current, leakage }: Circuit): void {
  const { volts } = supply
  let reactive = 0
  for (const [index, phase] of phasesOf(line).entries()) {
    const [voltage, amperes] = [volts[phase] ?? zero, current[phase] ?? zero]
    const between = isBetweenPhases(line.traits.supplyV) ? minus(voltage, volts[(phase + 1) % 3] ?? zero) : voltage
    line.voltageV[index] = magnitude(between)
    line.currentA[index] = magnitude(amperes)
    line.powerKw[index] = (voltage.re * amperes.re + voltage.im * amperes.im) / 1000 + 0
    reactive += (voltage.im * amperes.re - voltage.re * amperes.im) / 1000
  }
  line.residualMa = magnitude(leakage)
  const active = line.powerKw.reduce((sum, each) => sum + each, 0)
  const flows = Math.max(...line.currentA) > line.plan.ratedCurrentA * noCurrentShare
  line.powerFactor = flows && !isDirect(line.traits.supplyV) ? active / Math.hypot(active, reactive) : null
}

/** What the phases do not return through one another comes back through the neutral. */
const neutralA = ({ current }: Circuit): number => magnitude(current.reduce(plus, zero))
