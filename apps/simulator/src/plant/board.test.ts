import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import { newDevice, wired } from '../device.ts'
import { feedTree } from '../feed-tree.ts'
import { startFleet } from '../fleet.ts'
import type { GatewayPlan, LoadKind } from '../plan.ts'
import { seededRandom } from '../random.ts'
import type { Board } from './board.ts'
import { newBoard, settle, stepBoard } from './board.ts'
import type { SimulatedLine } from './line.ts'
import { close, leakageTripMa, newLine, open, totalKw } from './line.ts'

const noon = Date.UTC(2026, 0, 5, 4)
const loads: readonly LoadKind[] = ['office', 'residential', 'lighting', 'charger', 'lift', 'hvac', 'socket']
const demo = demoPlan().flatMap(({ gateways }) => gateways)

function boardOf(plan: GatewayPlan, now = noon): Board {
  let alias = 0
  const random = seededRandom(5)
  const devices = plan.devices.map((device) => newDevice(device, { now, random, nextAlias: () => alias++ }))
  return wired(plan, devices, now, random)
}

/** An incomer of three phases, a sub-main and a branch of each load on either, single-phase ones too. */
function tree() {
  const random = seededRandom(1)
  const line = (lineNo: number, phases: 1 | 3, load: LoadKind, ratedCurrentA = 40) =>
    newLine({ lineNo, name: `L${lineNo}`, ratedCurrentA, load, settings: { 'leakage.trip': 500 } }, phases, random)
  const [incomer, submain] = [line(1, 3, 'office', 400), line(2, 3, 'office', 250)]
  const branches = loads.flatMap((load, i) => [line(3 + 2 * i, 3, load), line(4 + 2 * i, 1, load)])
  const upstreamOf = new Map([
    [submain, incomer] as const,
    ...branches.map((branch, i) => [branch, i % 2 === 0 ? incomer : submain] as const),
  ])
  const board = newBoard([incomer, submain, ...branches], upstreamOf)
  stepBoard(board, 60_000, noon, random)
  return { board, incomer, submain, branches, random }
}

/** The currents of one phase of the board that a line's readings say: magnitudes by phase, apart by no more than their power factors. */
function amperesOf(line: SimulatedLine): readonly number[] {
  if (line.phases === 3) return line.currentA
  return [0, 1, 2].map((phase) => (phase === line.phase ? (line.currentA[0] ?? 0) : 0))
}

/** The same of active power alone, which holds whatever the power factors of the branches are. */
const powerErrors = ({ circuits }: Board): number[] =>
  circuits.flatMap(({ line, downstream }) => {
    const sum = downstream.reduce((total, each) => total + totalKw(each.line), 0)
    if (downstream.length === 0) return []
    return [sum === 0 ? totalKw(line) : Math.abs(totalKw(line) - sum) / sum]
  })

/** What each feeder reads against the sum of what is downstream of it, as a share of it: active power in all, and the current of each phase. */
function errors({ circuits }: Board): number[] {
  return circuits.flatMap(({ line, downstream }) => {
    if (downstream.length === 0) return []
    const branches = downstream.map((each) => each.line)
    const sums = [
      [totalKw(line), branches.reduce((sum, each) => sum + totalKw(each), 0)],
      ...[0, 1, 2].map((phase) => [
        line.currentA[phase] ?? 0,
        branches.reduce((sum, branch) => sum + (amperesOf(branch)[phase] ?? 0), 0),
      ]),
    ]
    return sums.map(([own = 0, sum = 0]) => (sum === 0 ? own : Math.abs(own - sum) / sum))
  })
}

describe.each(
  ['1层配电箱', '1号楼总配电柜', '地下车库充电桩配电柜'].flatMap((name) =>
    demo.filter((plan) => plan.name === name).map((plan) => [name, plan] as const),
  ),
)('%s', (_, plan) => {
  test('its incomer carries the sum of its branches within one per cent, at every hour of two weeks', () => {
    const board = boardOf(plan)
    const random = seededRandom(9)
    for (let hour = 0; hour < 14 * 24; hour++) {
      stepBoard(board, 3_600_000, noon + hour * 3_600_000, random)
      expect(Math.max(...errors(board))).toBeLessThan(0.01)
    }
  })

  test('nothing of it is loaded beyond its rating, leaks beyond a notice or trips in two weeks', () => {
    const board = boardOf(plan)
    const random = seededRandom(9)
    const beyond = new Set<string>()
    for (let step = 0; step < 14 * 48; step++) {
      stepBoard(board, 1_800_000, noon + step * 1_800_000, random)
      for (const { line } of board.circuits) {
        const { plan: its, position, currentA, residualMa } = line
        const sound =
          position === 'closed' && Math.max(...currentA) < 0.8 * its.ratedCurrentA && residualMa < 0.3 * leakageTripMa(line)
        if (!sound) beyond.add(its.name)
      }
    }
    expect([...beyond]).toEqual([])
  })
})

test('every line of a cabinet with an incomer has one upstream line, but for the incomer and what has a supply of its own', () => {
  for (const plan of demo) {
    const all = plan.devices.flatMap(({ lines }) => lines)
    const own = all.filter(({ ownSupply }) => ownSupply).length
    expect([plan.name, feedTree(plan).length]).toEqual([plan.name, plan.incomer ? all.length - own - 1 : 0])
  }
})

test('Kirchhoff holds for active power on any tree, whatever is switched, leaks or is loaded', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(15), act: fc.constantFrom('open', 'close', 'load', 'leak', 'neutral', 'phase', 'wait') }), {
        maxLength: 25,
      }),
      (acts) => {
        const { board, random } = tree()
        acts.forEach(({ at, act }, i) => {
          const line = board.circuits[at]?.line
          if (!line) return
          if (act === 'open') open(line, 'remote')
          if (act === 'close') close(line)
          if (act === 'load') line.fault.loadFactor = 2
          if (act === 'leak') line.fault.leakageMa = 120
          if (act === 'neutral') board.fault.neutralOhm = Number.POSITIVE_INFINITY
          if (act === 'phase') board.fault.lostPhase = { phase: at % 3, backfeed: 0.4 }
          if (act === 'wait') stepBoard(board, 2_000, noon + i * 2_000, random)
          else settle(board, noon + i * 2_000)
          for (const { line: feeder, downstream } of board.circuits) {
            if (downstream.length === 0) continue
            const sum = downstream.reduce((kw, each) => kw + totalKw(each.line), 0)
            expect(totalKw(feeder)).toBeCloseTo(sum, 6)
          }
        })
      },
    ),
  )
})

const faultsOfSupply = ['neutralBreak', 'phaseLoss', 'unbalance', 'supplyBack'] as const
// Not a voltage of one line alone, which is another than its feeder's: of that only the current holds.
const faultsOfLine = [
  ...['leakageRamp', 'leakageDrift', 'leakageStep', 'leakageTrip', 'shortCircuit', 'overload', 'loadGrowth'],
  ...['contactHeating', 'contactsWelded', 'mend'],
] as const

test('Kirchhoff holds within one per cent at every instant of the demo, whatever goes wrong or is switched', () => {
  const cabinets = demo.filter(({ incomer }) => incomer)
  const acts = fc.array(
    fc.record({
      at: fc.nat(99),
      act: fc.constantFrom('open', 'close', 'wait', ...faultsOfSupply.map((each) => `board ${each}`), ...faultsOfLine),
      ms: fc.integer({ min: 250, max: 6 * 3_600_000 }),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(fc.nat(cabinets.length - 1), acts, (which, steps) => {
      const plan = cabinets[which]
      if (!plan) return
      const clock = { now: noon }
      const { gateways, run } = startFleet([plan], { url: 'mqtt://127.0.0.1:1', now: () => clock.now, connected: false })
      const gateway = gateways.get(plan.number)
      if (!gateway) return
      const lines = gateway.lines()
      for (const { at, act, ms } of steps) {
        const place = lines[at % lines.length]
        if (!place) continue
        const line = gateway.line(place.controllerId, place.lineNo)
        if (act === 'open') open(line, 'remote')
        else if (act === 'close') close(line)
        else if (act.startsWith('board ')) run(act.slice('board '.length), { gateway: plan.number })
        else if (act !== 'wait' && canHave(line, act)) run(act, place)
        clock.now += ms
        gateway.advance()
        expect(Math.max(...powerErrors(gateway.board))).toBeLessThan(0.01)
      }
    }),
    { numRuns: 60 },
  )
})

/** Of a model that measures it. */
const canHave = ({ traits }: SimulatedLine, fault: string): boolean => traits.leakage || !fault.startsWith('leakage')

test('an opened incomer empties everything downstream: no voltage, no current, no power, no power factor; a closed one fills it again', () => {
  const { board, incomer, submain, branches } = tree()
  open(incomer, 'remote')
  settle(board, noon)
  for (const line of [submain, ...branches])
    expect([...line.voltageV, ...line.currentA, ...line.powerKw, line.residualMa, line.powerFactor]).toEqual([
      ...Array<number>(3 * line.phases + 1).fill(0),
      null,
    ])
  expect(branches.every(({ position }) => position === 'closed')).toBe(true)
  expect(Math.min(...incomer.voltageV)).toBeGreaterThan(220)
  close(incomer)
  settle(board, noon)
  for (const { voltageV, powerFactor } of branches)
    expect([Math.min(...voltageV) > 220, powerFactor !== null]).toEqual([true, true])
})

test('an opened sub-main takes its own branches only, and its share off the incomer', () => {
  const { board, incomer, submain, branches } = tree()
  const [before, share] = [totalKw(incomer), totalKw(submain)]
  open(submain, 'remote')
  settle(board, noon)
  expect(totalKw(incomer)).toBeCloseTo(before - share, 6)
  expect(branches.map(({ voltageV }) => Math.min(...voltageV) > 0)).toEqual(branches.map((_, i) => i % 2 === 0))
})

test('a dead line does not trip on undervoltage', () => {
  const { board, incomer, branches, random } = tree()
  for (const { settings } of branches) settings.set('undervoltage', 175)
  open(incomer, 'remote')
  for (let i = 1; i < 20; i++) stepBoard(board, 1_000, noon + i * 1_000, random)
  expect(branches.every(({ position }) => position === 'closed')).toBe(true)
})

test('there is no power factor where nothing flows, and none of direct current', () => {
  const { board, branches } = tree()
  const [branch] = branches
  if (!branch) throw new Error('no branch')
  expect(branch.powerFactor).toBeCloseTo(0.93, 2)
  open(branch, 'remote')
  settle(board, noon)
  expect(branch.powerFactor).toBeNull()
  const direct = newLine(branch.plan, 1, seededRandom(1), { supplyV: 48, leakage: true })
  stepBoard(newBoard([direct]), 1_000, noon, seededRandom(1))
  expect([direct.currentA[0] === 0, direct.powerFactor]).toEqual([false, null])
})

test('what leaks on a branch is read by what feeds it too', () => {
  const { board, incomer, submain, branches } = tree()
  const branch = branches[3]
  if (!branch) throw new Error('no branch')
  branch.fault.leakageMa = 200
  settle(board, noon)
  for (const line of [branch, submain, incomer]) expect(Math.abs(line.residualMa - 200)).toBeLessThan(60)
})

test('of a short circuit downstream the branch opens and its feeders stay closed', () => {
  const { board, incomer, submain, branches, random } = tree()
  const branch = branches[1]
  if (!branch) throw new Error('no branch')
  branch.fault.loadFactor = 60
  expect(stepBoard(board, 1_000, noon + 1_000, random)).toBe(true)
  expect([branch, submain, incomer].map(({ position, tripCause }) => [position, tripCause])).toEqual([
    ['open', 'short'],
    ['closed', 'none'],
    ['closed', 'none'],
  ])
})
