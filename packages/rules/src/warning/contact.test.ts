import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { HotContactContext } from './contact.ts'
import { contact, dailyContacts, evaluateContacts } from './contact.ts'
import { defaultParams } from './detector.ts'
import type { Finding } from './finding.ts'
import { isFinding, isNotEvaluated } from './finding.ts'
import type { HourRow } from './hours.ts'
import { lineHours } from './hours.ts'
import { stricterWay } from './stricter.ts'

const params = defaultParams(contact)
const three = ['temperature.a', 'temperature.b', 'temperature.c']
const context = { ratedA: 63, riseK: 32, thermalS: 90, today: 6, points: three, airC: null, alarmC: null, daily: [] }

interface Plant {
  readonly phases?: 1 | 3
  readonly ratedA?: number
  /** Excess at rated current of each terminal, K, by hour. */
  readonly excess?: (terminal: number, hour: number) => number
  readonly share?: (hour: number) => number
  readonly counts?: (hour: number) => boolean
  readonly airC?: (hour: number) => number
  readonly offset?: readonly number[]
  readonly hours?: number
}

/** A week of a line of which nothing is wrong but what is said. */
function week({
  phases = 3,
  ratedA = 63,
  excess = () => 0,
  share,
  counts,
  airC,
  offset = [],
  hours = 168,
}: Plant = {}): HourRow[] {
  const terminals = phases === 1 ? 2 : 3
  return Array.from({ length: hours }, (_, hour): HourRow => {
    const load = share?.(hour) ?? 0.35 + 0.25 * Math.sin((2 * Math.PI * hour) / 24)
    const squares = Array.from({ length: phases }, (_, phase) => (ratedA * load * (1 + 0.06 * Math.sin(phase * 2 + hour))) ** 2)
    const air = airC?.(hour) ?? 24 + 4 * Math.sin((2 * Math.PI * (hour - 6)) / 24)
    return {
      hour,
      day: Math.floor(hour / 24),
      slot: hour % 24,
      counts: counts?.(hour) ?? true,
      squareA2: squares,
      maxA: squares.map(Math.sqrt),
      terminalC: Array.from({ length: terminals }, (_, terminal) => {
        const square = (squares[Math.min(terminal, phases - 1)] ?? 0) / ratedA ** 2
        const noise = 0.4 * Math.sin(hour * (3.1 + terminal) + terminal)
        return air + (32 + excess(terminal, hour)) * square + (offset[terminal] ?? 0) + noise
      }),
      residualMa: 0,
    }
  })
}
const look = (plant: Plant, more: Partial<HotContactContext> = {}) =>
  evaluateContacts(params, lineHours(week(plant)), { ...context, ratedA: plant.ratedA ?? 63, ...more })
const hotB = (kelvin: number) => ({ excess: (terminal: number) => (terminal === 1 ? kelvin : 0) })

describe('contact', () => {
  test('sound contacts are sound', () => expect(look({})).toEqual([null, null, null]))

  // What is shown beside the value is the limit that it has passed, not the next one.
  test.each<[string, number, string, number]>([
    ['20 K more at rated current is 7 K at this load', 20, 'notice', 4],
    ['60 K is above 15 K', 60, 'warning', 15],
  ])('%s', (_, kelvin, level, limit) => {
    const [a, b, c] = look(hotB(kelvin))
    expect([a, c]).toEqual([null, null])
    expect(b).toMatchObject({ key: 'contact', point: 'temperature.b', level, evidence: { unit: 'K', limit, nextLimit: 15 } })
    const value = isFinding(b ?? null) ? (b as Finding).evidence.value : Number.NaN
    expect(value).toBeGreaterThanOrEqual(limit)
    expect(value / kelvin).toBeGreaterThan(0.33)
    expect(value / kelvin).toBeLessThan(0.42)
  })

  test('an hour in which the current of another phase is not known is left out, and the hot one is found by the rest', () => {
    const isUnknown = (hour: number) => hour % 24 === 13
    const rows = week(hotB(60)).map((row) =>
      isUnknown(row.hour) ? { ...row, squareA2: row.squareA2.map((each, phase) => (phase === 0 ? Number.NaN : each)) } : row,
    )
    expect(evaluateContacts(params, lineHours(rows), context)).toMatchObject([null, { level: 'warning' }, null])
  })

  test('6 K at rated current is what contacts differ by', () => expect(look(hotB(6))).toEqual([null, null, null]))

  test('a contact that came loose three days ago is not outvoted by the four before', () => {
    const [, b] = look({ excess: (terminal, hour) => (terminal === 1 && hour >= 96 ? 40 : 0) })
    expect(b).toMatchObject({ key: 'contact' })
  })

  test('hours in which the current of a neighbour is not known are left out', () => {
    const rows = week(hotB(60)).map((row, i) =>
      i % 10 === 0 ? { ...row, squareA2: [...row.squareA2.slice(0, 2), Number.NaN] } : row,
    )
    const [, b] = evaluateContacts(params, lineHours(rows), context)
    expect(b).toMatchObject({ point: 'temperature.b', evidence: { used: 121 } })
  })

  test('line against neutral: the one that is hotter', () => {
    const points = ['temperature.a', 'temperature.n']
    const of = (terminal: number) => look({ phases: 1, excess: (each) => (each === terminal ? 30 : 0) }, { points })
    expect(of(0)).toMatchObject([{ point: 'temperature.a' }, null])
    expect(of(1)).toMatchObject([null, { point: 'temperature.n' }])
  })

  test('the neutral of three phases carries a current that nobody measures', () => {
    const outcomes = look({}, { points: [...three, 'temperature.n'] })
    expect(outcomes[3]).toEqual({ notEvaluated: 'notMeasured', have: null, need: null })
  })

  test.each<[string, Plant, string]>([
    ['a line that carries little', { share: (hour) => 0.18 + 0.02 * Math.sin(hour) }, 'lowLoad'],
    ['two days and a bit of hours that count', { counts: (hour) => hour >= 121 }, 'coverage'],
    ['no current at all', { share: () => 0 }, 'coverage'],
  ])('%s', (_, plant, reason) => {
    for (const outcome of look({ ...hotB(60), ...plant })) expect(outcome).toMatchObject({ notEvaluated: reason })
  })

  test('a contact that will pass the alarm at its usual peak is an alarm, whatever the weather is now', () => {
    expect(look(hotB(60), { alarmC: 80 })[1]).toMatchObject({ level: 'warning' })
    expect(look(hotB(60), { alarmC: 55 })[1]).toMatchObject({ level: 'alarm' })
  })

  test('four fifths of the rise its own, and more than ten kelvin: an alarm, if the air of the cabinet is known', () => {
    expect(look(hotB(200))[1]).toMatchObject({ level: 'warning' })
    expect(look(hotB(200), { airC: 24 })[1]).toMatchObject({ level: 'alarm' })
    expect(look(hotB(60), { airC: 24 })[1]).toMatchObject({ level: 'warning' })
  })

  test('a rise of less than ten kelvin is not graded, however much of it is its own', () => {
    const cold = { airC: (hour: number) => 24 + 0.1 * Math.sin(hour), share: (hour: number) => 0.26 + 0.04 * Math.sin(hour / 4) }
    expect(look({ ...hotB(200), ...cold }, { airC: 24 })[1]).toMatchObject({ level: 'alarm' })
    expect(look({ ...hotB(200), ...cold }, { airC: 40 })[1]).not.toMatchObject({ level: 'alarm' })
    expect(look({ ...hotB(200), ...cold }, { airC: null })[1]).not.toMatchObject({ level: 'alarm' })
  })

  test('with ten days of fits it says when repair at once is due, with nine it does not', () => {
    const daily = (count: number) => [[], Array.from({ length: count }, (_, day) => ({ day, excessK: 10 + day })), []]
    const of = (count: number) => look(hotB(20), { daily: daily(count) })[1]
    expect(of(9)).toMatchObject({ evidence: { toLimit: null, slope: null } })
    expect(of(10)).toMatchObject({ evidence: { toLimit: { confidence: 'high' } } })
  })

  test('the fit of one day is of its own hours', () => {
    const hours = lineHours(week({ excess: (terminal, hour) => (terminal === 1 && hour >= 144 ? 50 : 0) }))
    expect(dailyContacts(params, hours, 5, context)[1]?.excessK).toBeLessThan(10)
    expect(dailyContacts(params, hours, 6, context)[1]?.excessK).toBeCloseTo(50, -1)
    expect(dailyContacts(params, hours, 7, context)).toEqual([null, null, null])
  })
})

describe('laws', () => {
  const terminals = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
  const excessOf = (plant: Plant, more: object = {}) =>
    look(plant, more).map((each) =>
      isFinding(each) ? Math.round(each.evidence.value * 20) / 20 : isNotEvaluated(each) ? each.notEvaluated : null,
    )
  const close = (one: readonly unknown[], other: readonly unknown[]) => {
    for (const [i, each] of one.entries())
      if (typeof each === 'number' && typeof other[i] === 'number')
        expect(Math.abs(each - (other[i] as number))).toBeLessThan(0.3)
      else expect(other[i]).toEqual(each)
  }
  const runs = { numRuns: lawRuns(40) }

  test('warmer air and a sensor that reads too high change nothing', () => {
    fc.assert(
      fc.property(terminals, fc.integer({ min: -20, max: 40 }), fc.integer({ min: -5, max: 5 }), (kelvins, air, wrong) => {
        const excess = (terminal: number) => kelvins[terminal] ?? 0
        const usual = (hour: number) => 24 + 4 * Math.sin((2 * Math.PI * (hour - 6)) / 24)
        const own = excessOf({ excess })
        close(own, excessOf({ excess, airC: (hour) => usual(hour) + air }))
        close(own, excessOf({ excess, offset: [0, wrong, 0] }))
      }),
      runs,
    )
  })

  test('a larger breaker with as much more current is the same', () => {
    fc.assert(
      fc.property(terminals, fc.integer({ min: 6, max: 400 }), (kelvins, ratedA) => {
        const excess = (terminal: number) => kelvins[terminal] ?? 0
        close(excessOf({ excess }), excessOf({ excess, ratedA }))
      }),
      runs,
    )
  })

  test('phases that are exchanged exchange what is found', () => {
    fc.assert(
      fc.property(terminals, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (kelvins, order) => {
        const rows = week({ excess: (terminal) => kelvins[terminal] ?? 0 })
        const exchanged = rows.map((row) => ({
          ...row,
          squareA2: order.map((from) => row.squareA2[from] ?? 0),
          terminalC: order.map((from) => row.terminalC[from] ?? 0),
        }))
        const of = (given: readonly HourRow[], points: readonly string[]) =>
          evaluateContacts(params, lineHours(given), { ...context, points })
        const own = of(rows, three)
        const other = of(
          exchanged,
          order.map((from) => three[from] ?? ''),
        )
        expect(other.map((each) => each && 'level' in each)).toEqual(
          order.map((from) => own[from] && 'level' in (own[from] ?? {})),
        )
        expect(other.map((each) => (isFinding(each) ? each.point : null))).toEqual(
          order.map((from) => {
            const each = own[from] ?? null
            return isFinding(each) ? each.point : null
          }),
        )
      }),
      runs,
    )
  })

  test('a stricter figure never raises more', () => {
    const figures = fc.constantFrom(...Object.keys(contact.parameters).filter((name) => stricterWay(contact.key, name) !== null))
    fc.assert(
      fc.property(terminals, figures, fc.double({ min: 0, max: 1, noNaN: true }), (kelvins, name, by) => {
        const hours = lineHours(week({ excess: (terminal) => (kelvins[terminal] ?? 0) / 2 }))
        const { min, max } = contact.parameters[name as keyof typeof contact.parameters]
        const value = params[name as keyof typeof params]
        const stricter = { ...params, [name]: value + by * ((stricterWay(contact.key, name) === 'up' ? max : min) - value) }
        const found = (given: typeof params) => evaluateContacts(given, hours, context).map(isFinding)
        const usual = found(params)
        for (const [terminal, isFound] of found(stricter).entries())
          expect([terminal, isFound && !usual[terminal]]).toEqual([terminal, false])
      }),
      runs,
    )
  })

  test('hours that are removed from a sound line make no finding', () => {
    const rows = week()
    fc.assert(
      fc.property(fc.subarray(rows), (left) => {
        expect(evaluateContacts(params, lineHours(left), context).some(isFinding)).toBe(false)
      }),
      { numRuns: lawRuns(100) },
    )
  })
})
