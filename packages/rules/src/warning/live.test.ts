import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Link } from '../alarm/link.ts'
import { lawRuns } from '../test-runs.ts'
import { defaultParams } from './detector.ts'
import type { LiveChange } from './live-change.ts'
import { foldNeutral, neutral, newNeutralState, triangleVolts } from './neutral.ts'
import { foldOffline, newOfflineState, offline } from './offline.ts'
import { foldOvercurrent, newOvercurrentState, overcurrent } from './overcurrent.ts'
import type { ThreePhaseSample } from './phase-loss.ts'
import { foldPhaseLoss, newPhaseLossState, phaseLoss } from './phase-loss.ts'
import type { ThreeVoltages } from './unbalance.ts'

const kinds = (changes: readonly (LiveChange | null)[]) => changes.flatMap((each) => (each ? [each.kind] : []))

/** Three voltages of a supply of 230 V, its neutral moved to a point of the triangle. */
function floating(x: number, y: number, volts = 230): ThreeVoltages {
  const [a, b, c] = [0, 1, 2].map((i) => {
    const angle = (2 * Math.PI * i) / 3
    return Math.hypot(volts * Math.cos(angle) - x, volts * Math.sin(angle) - y)
  })
  return [a ?? 0, b ?? 0, c ?? 0]
}

describe('neutral', () => {
  const params = defaultParams(neutral)
  const period = { periodMs: 10_000 }
  /** A line that was watched for ten minutes, and then sees these voltages every ten seconds. */
  const watch = (volts: readonly ThreeVoltages[], everyMs = 10_000, learnt = 10) => {
    const state = newNeutralState()
    for (let i = 0; i < learnt; i++) foldNeutral(params, state, { at: i * minuteMs, volts: [230, 229, 231] }, period)
    return volts.map((each, i) => foldNeutral(params, state, { at: learnt * minuteMs + i * everyMs, volts: each }, period))
  }
  const broken = floating(60, 30)
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

  test.each<[string, readonly ThreeVoltages[], readonly string[]]>([
    ['as it should be', times(20, [230, 229, 231]), []],
    ['a neutral that floats', times(5, broken), ['raised']],
    ['for a single sample', [broken, [230, 230, 230], [230, 230, 230]], []],
    ['mended for a minute', [...times(5, broken), ...times(8, [230, 230, 230] as const)], ['raised', 'returned']],
    ['mended for half a minute', [...times(5, broken), ...times(3, [230, 230, 230] as const), ...times(5, broken)], ['raised']],
    ['a sag of one phase changes the triangle', times(20, [150, 230, 230]), []],
    ['a swell of one phase does, too', times(20, [280, 230, 230]), []],
    ['a neutral that floats a little', times(20, floating(8, 0)), []],
    ['what is missing says nothing', times(20, [Number.NaN, 280, 150]), []],
    ['an outage', times(20, [0, 0, 0]), []],
  ])('%s', (_, volts, expected) => expect(kinds(watch(volts))).toEqual(expected))

  test('the highest voltage is its proof, against what the line usually has', () =>
    expect(watch(times(2, broken))[1]).toMatchObject({
      kind: 'raised',
      finding: {
        key: 'neutral',
        point: null,
        level: 'alarm',
        evidence: { value: Math.max(...broken), baseline: expect.closeTo(230, 0), unit: 'V' },
      },
    }))

  test('ten seconds are waited, however often it reports', () => {
    expect(kinds(watch(times(10, broken), 1_000))).toEqual([])
    expect(kinds(watch(times(11, broken), 1_000))).toEqual(['raised'])
  })

  test('a sample without one of its voltages does not begin the ten seconds anew', () => {
    const missing: ThreeVoltages = [Number.NaN, 280, 150]
    expect(kinds(watch([...times(5, broken), missing, ...times(5, broken)], 1_000))).toEqual(['raised'])
  })

  test('a line whose triangle was not learnt, or a day ago, says nothing', () => {
    expect(kinds(watch(times(9, broken), 10_000, 4))).toEqual([])
    const state = newNeutralState()
    for (let i = 0; i < 10; i++) foldNeutral(params, state, { at: i * minuteMs, volts: [230, 230, 230] }, period)
    const late = [0, 1, 2, 3].map((i) => foldNeutral(params, state, { at: 2 * dayMs + i * 10_000, volts: broken }, period))
    expect(kinds(late)).toEqual([])
  })

  test('a triangle of the day before is forgotten when the next one is learnt', () => {
    const state = newNeutralState()
    for (let i = 0; i < 10; i++) foldNeutral(params, state, { at: i * minuteMs, volts: [230, 230, 230] }, period)
    foldNeutral(params, state, { at: dayMs + 9 * minuteMs, volts: [230, 230, 230] }, period)
    expect(state.references).toHaveLength(10)
    foldNeutral(params, state, { at: 2 * dayMs + 9 * minuteMs + 1, volts: [230, 230, 230] }, period)
    expect(state.references).toHaveLength(1)
  })

  test('what is kept of a line is ten minutes, however long it is watched', () => {
    const state = newNeutralState()
    for (let i = 0; i < 2_000; i++) foldNeutral(params, state, { at: i * 30_000, volts: [230, 230, 230] }, period)
    expect(state.references).toHaveLength(10)
  })

  test('the triangle is exact for a neutral anywhere in it', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, share, fc.double({ min: 100, max: 300, noNaN: true }), (one, two, volts) => {
        // Barycentric coordinates: any point inside.
        const [u, v] = one + two > 1 ? [1 - one, 1 - two] : [one, two]
        const corner = (i: number) => [volts * Math.cos((2 * Math.PI * i) / 3), volts * Math.sin((2 * Math.PI * i) / 3)] as const
        const point = (axis: 0 | 1) => u * corner(0)[axis] + v * corner(1)[axis] + (1 - u - v) * corner(2)[axis]
        expect(triangleVolts(floating(point(0), point(1), volts)) / volts).toBeCloseTo(1, 6)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('phaseLoss', () => {
  const params = defaultParams(phaseLoss)
  const points = ['voltage.a', 'voltage.b', 'voltage.c']
  const context = { supplyV: 230, ratedA: 63, points, periodMs: 10_000 }
  type Sample = Omit<ThreePhaseSample, 'at'>
  const sound: Sample = { closed: true, volts: [230, 229, 231], amperes: [20, 21, 19] }
  const lost: Sample = { ...sound, volts: [230, 5, 231], amperes: [20, 0, 19] }
  const fedBack: Sample = { ...sound, volts: [225, 150, 226], amperes: [20, 0.5, 19] }
  const watch = (samples: readonly Sample[], everyMs = 1_000) => {
    const state = newPhaseLossState()
    return samples.flatMap((each, i) => foldPhaseLoss(params, state, { ...each, at: i * everyMs }, context))
  }
  const of = (count: number, sample: Sample) => Array.from({ length: count }, () => sample)

  test.each<[string, readonly Sample[], readonly string[]]>([
    ['as it should be', of(90, sound), []],
    ['dead for three seconds', of(4, lost), ['raised']],
    ['dead for two', [...of(3, lost), ...of(90, sound)], []],
    ['fed back for ten seconds', of(11, fedBack), ['raised']],
    ['fed back for nine', [...of(10, fedBack), ...of(9, sound)], []],
    ['low, but it carries its load: a sag', of(90, { ...fedBack, amperes: [20, 19, 19] }), []],
    ['low, and nobody carries anything', of(90, { ...fedBack, amperes: [1, 0.5, 1] }), []],
    ['open', of(90, { ...lost, closed: false }), []],
    ['not known whether it is closed', of(90, { ...lost, closed: null }), []],
    ['all phases gone: an outage', of(90, { ...sound, volts: [3, 4, 5] }), []],
    ['a voltage that is missing', of(90, { ...lost, volts: [230, 5, Number.NaN] }), []],
    ['it came back for a minute', [...of(5, lost), ...of(62, sound)], ['raised', 'returned']],
    ['the line was opened', [...of(5, lost), ...of(62, { ...lost, closed: false })], ['raised', 'returned']],
    ['first dead and then fed back is one finding', [...of(5, lost), ...of(20, fedBack)], ['raised']],
  ])('%s', (_, samples, expected) => expect(kinds(watch(samples))).toEqual(expected))

  test('exchanging phases exchanges the finding', () => {
    const samples = of(12, lost)
    for (const [index, point] of points.entries()) {
      const turned = samples.map((each) => ({
        ...each,
        volts: each.volts.map((_, i) => each.volts[(i + 1 - index + 3) % 3] ?? 0) as unknown as ThreeVoltages,
      }))
      expect(watch(turned)).toMatchObject([{ finding: { point, level: 'alarm' } }])
    }
  })
})

describe('overcurrent', () => {
  const params = defaultParams(overcurrent)
  const watch = (samples: readonly (readonly [s: number, amperes: number])[], periodMs = 10_000) => {
    const state = newOvercurrentState()
    return samples.map(([s, amperes]) =>
      foldOvercurrent(params, state, { at: s * 1_000, amperes }, { limitA: 63, point: 'current.a', periodMs }),
    )
  }
  const every = (seconds: number, from: number, to: number, amperes: number) =>
    Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, i) => [from + i * seconds, amperes] as const)

  test.each<[string, readonly (readonly [number, number])[], readonly string[]]>([
    ['below its limit', every(10, 0, 3_600, 63), []],
    ['above it for ten minutes', every(10, 0, 600, 70), ['raised']],
    ['for nine minutes and fifty seconds', every(10, 0, 590, 70), []],
    ['a moment below begins anew', [...every(10, 0, 300, 70), [310, 60], ...every(10, 320, 900, 70)], []],
    ['a gap of a minute counts', [...every(10, 0, 300, 70), ...every(10, 360, 600, 70)], ['raised']],
    ['a longer one stops the clock', [...every(10, 0, 300, 70), ...every(10, 400, 600, 70)], []],
    ['it goes on after it', [...every(10, 0, 300, 70), ...every(10, 400, 700, 70)], ['raised']],
    ['ten minutes without data end it', [...every(10, 0, 300, 70), ...every(10, 901, 1_400, 70)], []],
    [
      'what is missing says nothing',
      every(10, 0, 620, 70).map(([s, a]) => [s, s % 30 === 0 ? Number.NaN : a] as const),
      ['raised'],
    ],
    ['a minute at 0.95 of it', [...every(10, 0, 600, 70), ...every(10, 610, 670, 59.8)], ['raised', 'returned']],
    ['between both nothing moves', [...every(10, 0, 600, 70), ...every(10, 610, 900, 61)], ['raised']],
  ])('%s', (_, samples, expected) => expect(kinds(watch(samples))).toEqual(expected))

  test('equipment that reports every five minutes is not silent in between', () =>
    expect(kinds(watch(every(300, 0, 600, 70), 300_000))).toEqual(['raised']))

  test('samples that come late or twice change nothing', () => {
    const samples = every(10, 0, 900, 70)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 9 }), (again) => {
        const given = samples.flatMap((each, i) =>
          again.includes(i) ? [each, each, samples[Math.max(0, i - 3)] ?? each] : [each],
        )
        expect(kinds(watch(given))).toEqual(['raised'])
      }),
      { numRuns: lawRuns(500) },
    )
  })

  test('a higher limit never finds more, nor do samples that are removed from a sound line', () => {
    const current = fc
      .integer()
      .map((seed) => Array.from({ length: 60 }, (_, i) => 55 + ((Math.imul(seed + (i >> 3), 2_654_435_761) >>> 8) % 20)))
    const raisedWith = (values: readonly number[], limitA: number) => {
      const state = newOvercurrentState()
      const changes = values.map((amperes, i) =>
        foldOvercurrent(
          { ...params, minutes: 1 },
          state,
          { at: i * 10_000, amperes },
          { limitA, point: 'current.a', periodMs: 10_000 },
        ),
      )
      return kinds(changes).includes('raised')
    }
    fc.assert(
      fc.property(current, fc.integer({ min: 0, max: 10 }), (values, more) => {
        expect(raisedWith(values, 63) || !raisedWith(values, 63 + more)).toBe(true)
        expect(
          raisedWith(
            values.filter((each) => each <= 63),
            63,
          ),
        ).toBe(false)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('offline', () => {
  const params = defaultParams(offline)
  const watch = (moments: readonly (readonly [hours: number, link: Link])[], periodMs = 10_000) => {
    const state = newOfflineState()
    return kinds(moments.map(([hours, link]) => foldOffline(params, state, { at: hours * hourMs, link, periodMs })))
  }

  test.each<[string, readonly (readonly [number, Link])[], readonly string[]]>([
    [
      'away for six hours',
      [
        [0, 'online'],
        [1, 'offline'],
        [7, 'offline'],
      ],
      ['raised'],
    ],
    [
      'a moment less',
      [
        [0, 'online'],
        [1, 'offline'],
        [6.99, 'offline'],
      ],
      [],
    ],
    [
      'silent first, then offline: one absence',
      [
        [1, 'stale'],
        [3, 'offline'],
        [7, 'offline'],
      ],
      ['raised'],
    ],
    [
      'it was there in between',
      [
        [1, 'offline'],
        [3, 'online'],
        [4, 'offline'],
        [9.9, 'offline'],
      ],
      [],
    ],
    [
      'what was never online is still being set up',
      [
        [0, 'never'],
        [100, 'never'],
      ],
      [],
    ],
    [
      'back for five minutes',
      [
        [0, 'offline'],
        [7, 'offline'],
        [8, 'online'],
        [8.1, 'online'],
      ],
      ['raised', 'returned'],
    ],
    [
      'back for a moment',
      [
        [0, 'offline'],
        [7, 'offline'],
        [8, 'online'],
        [8.05, 'offline'],
        [20, 'offline'],
      ],
      ['raised'],
    ],
  ])('%s', (_, moments, expected) => expect(watch(moments)).toEqual(expected))

  test('equipment that reports once a day is given three days', () => {
    expect(
      watch(
        [
          [0, 'offline'],
          [71, 'offline'],
        ],
        dayMs,
      ),
    ).toEqual([])
    expect(
      watch(
        [
          [0, 'offline'],
          [72, 'offline'],
        ],
        dayMs,
      ),
    ).toEqual(['raised'])
  })
})
