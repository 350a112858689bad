import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import type { Fleet } from '../fleet.ts'
import { startFleet } from '../fleet.ts'
import type { SimulatedLine } from '../plant/line.ts'
import { faults } from './inject.ts'
import type { Given } from './parameters.ts'
import { readParameters } from './parameters.ts'

// A cabinet of the demo, and a plant that lives by our clock alone. Nobody listens at its address.
const plans = demoPlan().flatMap(({ gateways }) => gateways.filter(({ number }) => ['GW-BJ-01', 'GW-BJ-06'].includes(number)))
const noon = Date.UTC(2026, 0, 6, 4)
const second = 1_000
const hour = 3_600 * second
const day = 24 * hour

let at = noon
let fleet: Fleet
beforeAll(() => {
  fleet = startFleet(plans, { url: 'mqtt://127.0.0.1:1', ticking: false, now: () => at })
})
afterAll(() => fleet?.close())

async function passes(ms: number, stepMs = second): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    at += stepMs
    await fleet.step()
  }
}

const line = (controllerId: string, lineNo: number): SimulatedLine => fleet.gatewayOf(controllerId).line(controllerId, lineNo)
/** Something happens to a line; afterwards it is sound and closed again. */
async function withFault(
  fault: string,
  controllerId: string,
  lineNo: number,
  given: Given,
  look: (line: SimulatedLine) => Promise<void>,
) {
  fleet.run(fault, { controllerId, lineNo }, given)
  await look(line(controllerId, lineNo))
  fleet.run('mend', { controllerId, lineNo })
  line(controllerId, lineNo).position = 'closed'
  await passes(10 * second)
}

const rangeOf = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const

/** The line-to-neutral voltage that three phases against any point inside one triangle still give (Heron). */
function lineVoltage([a = 0, b = 0, c = 0]: readonly number[]): number {
  const s = (a + b + c) / 2
  const area = Math.sqrt(Math.max(0, s * (s - a) * (s - b) * (s - c)))
  return Math.sqrt((a * a + b * b + c * c) / 2 + 2 * Math.sqrt(3) * area) / Math.sqrt(3)
}

test('a broken neutral moves inside the unchanged triangle, by how unequal the loads are', async () => {
  await passes(10 * second)
  const before = lineVoltage(line('BJ01-T1', 1).voltageV)
  // Uneven loads: one single-phase load is much the largest.
  fleet.run('overload', { controllerId: 'BJ01-S1', lineNo: 3 }, { factor: 4 })
  fleet.run('neutralBreak', { gateway: 'GW-BJ-01' }, {})
  await passes(2 * second)
  for (const lineNo of [1, 3]) {
    const { voltageV } = line('BJ01-T1', lineNo)
    const [least, most] = rangeOf(voltageV)
    expect(most / least).toBeGreaterThan(1.1)
    expect(lineVoltage(voltageV) / before).toBeCloseTo(1, 2)
  }
  fleet.run('supplyBack', { gateway: 'GW-BJ-01' })
  fleet.run('mend', { controllerId: 'BJ01-S1', lineNo: 3 })
  await passes(2 * second)
  const [least, most] = rangeOf(line('BJ01-T1', 1).voltageV)
  expect(most / least).toBeLessThan(1.04)
})

test('the worse the contact of the neutral, the further the phases part', async () => {
  const parts: number[] = []
  for (const ohm of [0.01, 1, 10, 1_000_000]) {
    fleet.run('overload', { controllerId: 'BJ01-S1', lineNo: 3 }, { factor: 4 })
    fleet.run('neutralBreak', { gateway: 'GW-BJ-01' }, { ohm })
    await passes(second)
    const [least, most] = rangeOf(line('BJ01-T1', 1).voltageV)
    parts.push(most / least)
    fleet.run('supplyBack', { gateway: 'GW-BJ-01' })
  }
  fleet.run('mend', { controllerId: 'BJ01-S1', lineNo: 3 })
  expect(parts).toEqual(parts.toSorted((a, b) => a - b))
  expect(new Set(parts).size).toBe(4)
})

test.each([
  [0.02, 0],
  [0.5, 0.4],
])('a lost phase shows %s of its voltage and carries nothing; the others go on', async (backfeed, least) => {
  await withFault('phaseLoss', 'BJ01-T1', 2, { phase: 'B', backfeed }, async ({ voltageV, currentA }) => {
    await passes(2 * second)
    expect((voltageV[1] ?? 0) / 230).toBeGreaterThanOrEqual(least)
    expect((voltageV[1] ?? 0) / 230).toBeLessThan(backfeed + 0.02)
    expect(currentA[1]).toBe(0)
    expect(Math.min(voltageV[0] ?? 0, voltageV[2] ?? 0)).toBeGreaterThan(220)
    expect(Math.min(currentA[0] ?? 0, currentA[2] ?? 0)).toBeGreaterThan(10)
  })
})

test('an unbalance is the share of the mean that was given', async () => {
  await withFault('unbalance', 'BJ01-T1', 2, { percent: 6, phase: 'C' }, async ({ voltageV }) => {
    await passes(2 * second)
    const mean = voltageV.reduce((sum, each) => sum + each, 0) / 3
    const largest = Math.max(...voltageV.map((each) => Math.abs(each - mean))) / mean
    expect(largest).toBeGreaterThan(0.045)
    expect(largest).toBeLessThan(0.075)
  })
})

test('a loose contact heats with the square of the current and a time constant of 90 s, no other contact of it does', async () => {
  const excess = (its: SimulatedLine) => (its.temperatureC[0] ?? 0) - (its.temperatureC[1] ?? 0)
  const { currentA, plan } = line('BJ01-T1', 2)
  await passes(10 * 60 * second, 10 * second)
  const before = excess(line('BJ01-T1', 2))
  await withFault('contactHeating', 'BJ01-T1', 2, { excessK: 60, over: '0' }, async (its) => {
    const share = () => ((currentA[0] ?? 0) / plan.ratedCurrentA) ** 2
    await passes(90 * second)
    const atTau = (excess(its) - before) / (60 * share())
    expect(atTau).toBeGreaterThan(0.55)
    expect(atTau).toBeLessThan(0.72)
    await passes(900 * second, 5 * second)
    expect((excess(its) - before) / (60 * share())).toBeGreaterThan(0.85)
    expect((excess(its) - before) / (60 * share())).toBeLessThan(1.15)
  })
})

test.each([
  ['leakageDrift', { mA: 120, over: '60d' }, 30 * day, 60],
  ['leakageRamp', { mA: 100, over: '10m' }, 5 * 60 * second, 50],
  ['leakageStep', { mA: 45 }, 0, 45],
] as const)(
  '%s has come as far as the time of the plant has, and its feeder sees it',
  async (fault, given, afterMs, expected) => {
    await passes(2 * second)
    const [before, feeder] = [line('BJ01-T1', 4).residualMa, line('BJ01-T1', 1).residualMa]
    await withFault(fault, 'BJ01-T1', 4, given, async (its) => {
      if (afterMs > 0) await passes(afterMs, afterMs / 10)
      await passes(2 * second)
      expect(Math.abs(its.residualMa - before - expected)).toBeLessThan(2)
      expect(line('BJ01-T1', 1).residualMa).toBeGreaterThan(feeder + expected * 0.5)
    })
  },
)

test('loads grow over weeks, and the feeder carries them', async () => {
  const before = line('BJ01-T1', 1).currentA[0] ?? 0
  await withFault('loadGrowth', 'BJ01-T1', 2, { factor: 1.5, over: '10w' }, async (its) => {
    await passes(70 * day, 7 * day)
    expect(its.fault.loadFactor).toBeCloseTo(1.5)
    expect(line('BJ01-T1', 1).currentA[0]).toBeGreaterThan(before)
  })
})

test('a mended ramp does not go on', async () => {
  fleet.run('leakageRamp', { controllerId: 'BJ01-T1', lineNo: 4 })
  await passes(5 * second)
  fleet.run('mend', { controllerId: 'BJ01-T1', lineNo: 4 })
  await passes(40 * second)
  expect(line('BJ01-T1', 4).fault.leakageMa).toBe(0)
})

test('a chattering value jumps between its two, each for its time, and stops when it is mended', async () => {
  const read = () => {
    const device = fleet
      .gatewayOf('BJ01-T1')
      .devices()
      .find(({ controllerId }) => controllerId === 'BJ01-T1')
    return device?.metrics.find(({ metric }) => metric.name === '4/residual')?.metric.read()
  }
  const values: unknown[] = []
  await withFault('chatteringValue', 'BJ01-T1', 4, { low: 200, high: 260, every: '3s' }, async () => {
    for (let i = 0; i < 9; i++) {
      await passes(second)
      values.push(read())
    }
  })
  expect(values).toEqual([260, 260, 200, 200, 200, 260, 260, 260, 200])
  expect(Number(read())).toBeLessThan(30)
})

test('a worn release takes longer at each test', () => {
  const { fault } = line('BJ01-T1', 4)
  fleet.run('releaseSlow', { controllerId: 'BJ01-T1', lineNo: 4 }, { ms: 120, rise: 30 })
  expect(fault.release).toEqual({ ms: 120, rise: 30 })
  fleet.run('mend', { controllerId: 'BJ01-T1', lineNo: 4 })
  expect(fault.release).toBe('sound')
})

test('precursors of an arc come by chance as often as was said, and alarm nobody', async () => {
  const detector = fleet.gatewayOf('BJ06-A1').detector('BJ06-A1')
  fleet.run('arcPrecursor', { controllerId: 'BJ06-A1' }, { halfCycles: 9, perHour: 20 })
  let bursts = 0
  for (let i = 0, burst = false; i < 4 * 3_600; i += 5) {
    await passes(5 * second, 5 * second)
    const now = (detector.values.get('arc.halfCycles') ?? 0) >= 9
    if (now && !burst) bursts += 1
    burst = now
  }
  // Eighty on the average; a burst that follows within ten seconds is no second one.
  expect(bursts).toBeGreaterThan(45)
  expect(bursts).toBeLessThan(110)
  expect(detector.states.get('arc.alarm')).toBe('normal')
  fleet.run('mend', { controllerId: 'BJ06-A1' })
})

describe('what feeds a cabinet', () => {
  test('is off: no line reads a voltage and none moves; it comes back by itself, and the gateway stays as long as its battery', async () => {
    const gateway = fleet.gatewayOf('BJ01-T1')
    const all = gateway.board.circuits.map((circuit) => circuit.line)
    fleet.run('upstreamOutage', { gateway: 'GW-BJ-01' }, { for: '60s', battery: '30s' })
    await passes(5 * second)
    expect(all.every(({ voltageV, currentA }) => Math.max(...voltageV, ...currentA) === 0)).toBe(true)
    expect(all.every(({ position }) => position === 'closed')).toBe(true)
    await passes(60 * second)
    expect(all.every(({ voltageV }) => Math.min(...voltageV) > 220)).toBe(true)
  })
})

test.each([
  ['contactHeating', { excessK: -1 }, 'excessK must be 0 to 5000 K'],
  ['contactHeating', { excessK: 'hot' }, 'excessK must be 0 to 5000 K'],
  ['contactHeating', { over: 'soon' }, 'over: soon is no time'],
  ['contactHeating', { phase: 'D' }, 'phase must be one of A, B, C, N'],
  ['contactHeating', { kelvin: 3 }, 'contactHeating has no kelvin; it has excessK, over, phase'],
  ['contactHeating', { toString: 3 }, 'contactHeating has no toString'],
  ['releaseStuck', { ms: 3 }, 'releaseStuck has no ms; nothing can be said of it'],
  ['chatteringValue', { point: 'smoke' }, 'does not measure smoke; it measures current.a'],
] as const)('%s with %j is refused: %s', (fault, given, why) => {
  expect(() => fleet.run(fault, { controllerId: 'BJ01-T1', lineNo: 4 }, given)).toThrow(why)
})

test.each([
  ['phaseLoss', {}],
  ['unbalance', {}],
  ['contactHeating', { phase: 'B' }],
])('a single-phase line cannot have %s with %j', (fault, given) => {
  expect(() => fleet.run(fault, { controllerId: 'BJ01-S1', lineNo: 1 }, given)).toThrow('cannot have')
})

test('every fault can be put in by its name alone', () => {
  for (const all of Object.values(faults))
    for (const [name, { parameters }] of Object.entries(all)) expect(() => readParameters(name, parameters, {})).not.toThrow()
})

test('whatever figure is given within its bounds is taken as it is', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 5_000, noNaN: true }), (excessK) => {
      const { contactHeating } = faults.line
      expect(readParameters('contactHeating', contactHeating?.parameters ?? {}, { excessK }).excessK).toBe(excessK)
    }),
  )
})
