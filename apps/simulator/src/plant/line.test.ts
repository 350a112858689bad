import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LinePlan } from '../plan.ts'
import { seededRandom } from '../random.ts'
import { newBoard, stepBoard } from './board.ts'
import type { SimulatedLine } from './line.ts'
import { close, newLine, open } from './line.ts'
import { cabinetAirC } from './load-profile.ts'

const plan: LinePlan = { lineNo: 1, name: '照明', ratedCurrentA: 63, load: 'office' }
const noon = Date.UTC(2026, 0, 5, 4)
const second = 1_000

/** A line after some seconds of steps, and the cause if it tripped. */
function run(line: SimulatedLine, seconds: number, seed = 1): string | null {
  const random = seededRandom(seed)
  const board = newBoard([line])
  for (let i = 1; i <= seconds; i++) if (stepBoard(board, second, noon + i * second, random)) return line.tripCause
  return null
}

test('the same seed lives the same day', () => {
  const [a, b] = [newLine(plan, 3, seededRandom(7)), newLine(plan, 3, seededRandom(7))]
  run(a, 600, 7)
  run(b, 600, 7)
  expect(a).toEqual(b)
})

test('energy never falls, whatever happens on the line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('open', 'close', 'overload', 'mend', 'wait'), { maxLength: 30 }),
      fc.integer(),
      (acts, seed) => {
        const random = seededRandom(seed)
        const line = newLine(plan, 3, random)
        const board = newBoard([line])
        let before = line.energyKwh
        acts.forEach((act, i) => {
          if (act === 'open') open(line, 'remote')
          if (act === 'close') close(line)
          if (act === 'overload') line.fault.loadFactor = 3
          if (act === 'mend') line.fault.loadFactor = 1
          stepBoard(board, 60 * second, noon + i * 60 * second, random)
          expect(line.energyKwh).toBeGreaterThanOrEqual(before)
          before = line.energyKwh
        })
      },
    ),
  )
})

test('an open line carries no current, no power and no residual current; its supply side is still live', () => {
  const line = newLine(plan, 3, seededRandom(1))
  run(line, 10)
  open(line, 'remote')
  run(line, 10)
  expect([...line.currentA, ...line.powerKw, line.residualMa]).toEqual([0, 0, 0, 0, 0, 0, 0])
  for (const voltage of line.voltageV) expect(voltage).toBeGreaterThan(200)
})

test('a clamp warms with the square of the current', () => {
  const rise = (loadFactor: number) => {
    const line = newLine({ ...plan, settings: { 'overload.trip': 1_000 } }, 1, seededRandom(1))
    line.fault.loadFactor = loadFactor
    run(line, 1_200)
    return (line.temperatureC[0] ?? 0) - cabinetAirC(noon + 1_200 * second)
  }
  expect(rise(1) / rise(0.5)).toBeGreaterThan(3.5)
  expect(rise(1) / rise(0.5)).toBeLessThan(4.5)
})

test('a loose clamp gets hotter at the same current', () => {
  const sound = newLine(plan, 3, seededRandom(1))
  const loose = newLine(plan, 3, seededRandom(1))
  loose.fault.contactExcessK[0] = 130
  run(sound, 600)
  run(loose, 600)
  expect(loose.temperatureC[0]).toBeGreaterThan((sound.temperatureC[0] ?? 0) + 20)
  expect(loose.currentA).toEqual(sound.currentA)
})

test('protection trips on leakage at its level, not below', () => {
  const line = newLine(plan, 3, seededRandom(1))
  line.fault.leakageMa = 280
  expect(run(line, 60)).toBeNull()
  line.fault.leakageMa = 300
  expect(run(line, 1)).toBe('leakage')
  expect(line.position).toBe('open')
})

test('overload trips after its delay, not before, and not when it was only a moment', () => {
  const overloaded = () => {
    const line = newLine({ ...plan, settings: { 'overload.delay': 30 } }, 3, seededRandom(1))
    line.fault.loadFactor = 4
    return line
  }
  expect(run(overloaded(), 30)).toBeNull()
  expect(run(overloaded(), 40)).toBe('overload')
  const moment = overloaded()
  run(moment, 20)
  moment.fault.loadFactor = 1
  run(moment, 5)
  moment.fault.loadFactor = 4
  expect(run(moment, 20)).toBeNull()
})
