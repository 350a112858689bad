import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Link } from '../alarm/link.ts'
import { lawRuns } from '../test-runs.ts'
import { arcPrecursor, evaluateArcPrecursor } from './arc-precursor.ts'
import type { Params, WarningDetector } from './detector.ts'
import { defaultParams } from './detector.ts'
import { diagramDisagrees, foldDiagram, newDiagramState } from './diagram-disagrees.ts'
import { isFinding } from './finding.ts'
import { evaluateLeakageDrift, leakageDrift } from './leakage-drift.ts'
import { evaluateLeakageStep, leakageStep } from './leakage-step.ts'
import type { LiveChange } from './live-change.ts'
import { evaluateWeeklyPeaks, loadGrowth } from './load-growth.ts'
import { foldNeutral, neutral, newNeutralState } from './neutral.ts'
import { foldOffline, newOfflineState, offline } from './offline.ts'
import { evaluateLink, evaluateTrips, linkUnstable, tripsOften } from './often.ts'
import { foldOvercurrent, newOvercurrentState, overcurrent } from './overcurrent.ts'
import { foldPhaseLoss, newPhaseLossState, phaseLoss } from './phase-loss.ts'
import { evaluateRelease, releaseSlow } from './release-slow.ts'
import { stricterWay } from './stricter.ts'
import type { ThreeVoltages } from './unbalance.ts'
import { evaluateUnbalance, unbalance } from './unbalance.ts'
import { evaluateVoltageRange, outsideBand, voltageBandOf, voltageRange } from './voltage-range.ts'
import { evaluateWear, wear } from './wear.ts'

// A figure that is made stricter never raises more, whatever a line does and whatever its other figures are: for each detector and each of its
// figures of which people are told which way is stricter.
const today = 100
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** Numbers drawn from one seed, because drawing is what takes the time. */
const anyDraw = fc.integer().map((seed) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
})
type Draw = () => number
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

/** `finds`: whether it raises anything of a line that is drawn so. */
const tried = <Of extends WarningDetector>(
  declaration: Of,
  finds: (draw: Draw) => (params: Params<Of>) => boolean,
  numRuns = lawRuns(4_000),
) => {
  const ways = Object.keys(declaration.parameters).flatMap((name) => {
    const way = stricterWay(declaration.key, name)
    return way ? { name, way } : []
  })
  const anyParams = fc.record(
    Object.fromEntries(
      Object.entries(declaration.parameters).map(([name, { min, max, default: usual }]) => [
        name,
        fc.oneof(fc.constant(usual), fc.double({ min, max, noNaN: true })),
      ]),
    ),
  )
  const check = () => {
    let raised = 0
    fc.assert(
      fc.property(anyDraw, anyParams, fc.constantFrom(...ways), share, (draw, params, { name, way }, by) => {
        const { min, max } = declaration.parameters[name as keyof typeof declaration.parameters]!
        const value = params[name] ?? 0
        const given = finds(draw)
        const stricter = { ...params, [name]: value + by * ((way === 'up' ? max : min) - value) }
        if (!given(stricter as Params<Of>)) return
        raised += 1
        expect(given(params as Params<Of>)).toBe(true)
      }),
      { numRuns },
    )
    // A law of lines on which nothing is found would say nothing.
    expect(raised).toBeGreaterThan(numRuns / 100)
  }
  return [declaration.key, check] as const
}

const raises = (changes: readonly (LiveChange | null)[]) => changes.some((change) => change?.kind === 'raised')

/** Floors of sixty days: a level that steps and creeps. */
const floors = (draw: Draw) => {
  const [level, noise, perDay, step, since] = [50 * draw(), 20 * draw(), 5 * draw() - 1, 200 * draw() - 40, 40 * draw() + 15]
  return times(60, (i) => ({
    ...{ day: today - 59 + i, peakMa: null },
    floorMa: draw() < 0.1 ? null : level + noise * draw() + Math.max(0, i - since) * perDay + (i > since ? step : 0),
  }))
}
const own = { today, tripMa: 300 }

const detectors = [
  tried(leakageStep, (draw) => {
    const given = floors(draw)
    return (params) => isFinding(evaluateLeakageStep(params, given, own))
  }),
  tried(
    leakageDrift,
    (draw) => {
      const given = floors(draw)
      return (params) => isFinding(evaluateLeakageDrift(params, given, own))
    },
    lawRuns(200),
  ),
  tried(arcPrecursor, (draw) => {
    const [usual, more] = [2 * draw(), 6 * draw()]
    const given = times(50, (i) => ({
      ...{ day: today - 49 + i },
      hours: draw() < 0.1 ? null : Math.floor((usual + (i > 40 && draw() < 0.7 ? more : 0)) * 2 * draw()),
    }))
    return (params) => isFinding(evaluateArcPrecursor(params, given, { today }))
  }),
  tried(
    loadGrowth,
    (draw) => {
      const [level, perWeek, noise] = [0.9 * draw(), 0.08 * draw(), 0.05 * draw()]
      const peaks = [Float64Array.from(times(10, (week) => 63 * (level + perWeek * week + noise * draw())))]
      return (params) => evaluateWeeklyPeaks(params, peaks, { ratedA: 63, points: ['current.a'] }).some(isFinding)
    },
    lawRuns(1_000),
  ),
  tried(unbalance, (draw) => {
    let at = 0
    const windows = times(5, () => ({ length: Math.ceil(24 * draw()), apart: 8 * draw() })).flatMap(({ length, apart }) => {
      at += draw() < 0.2 ? 20 * minuteMs : 0
      return times(length, () => {
        at += 10 * minuteMs
        const volts: ThreeVoltages = [230 * (1 + apart / 100), 230, 230 * (1 - apart / 100)]
        return { at, volts }
      })
    })
    const reference = draw() < 0.5 ? 'phaseToNeutral' : 'lineToLine'
    return (params) => isFinding(evaluateUnbalance(params, windows, { reference, supplyV: 230 }))
  }),
  tried(voltageRange, (draw) => {
    const usual = 190 + 60 * draw()
    const days = times(7, () => times(10, () => usual + 40 * (draw() - 0.5)))
    return (params) => {
      const band = voltageBandOf(params, 230)
      const week = days.map((volts, i) => ({
        ...{ day: today - 6 + i, knownMinutes: 1_440 },
        outsideMinutes: 144 * volts.filter((each) => outsideBand([each], 230, band)).length,
      }))
      return isFinding(evaluateVoltageRange(params, week, { today, supplyV: 230 }))
    }
  }),
  tried(wear, (draw) => {
    const given = { share: 1.2 * draw(), openings: 7 }
    return (params) => isFinding(evaluateWear(params, given))
  }),
  tried(releaseSlow, (draw) => {
    const [usual, slower, noise] = [20 + 80 * draw(), 40 * draw(), 10 * draw()]
    const tests = times(8 + Math.floor(4 * draw()), (i) => {
      return { at: i * 30 * dayMs, tripMs: usual + Math.max(0, i - 4) * slower + noise * draw() }
    })
    return (params) => isFinding(evaluateRelease(params, tests))
  }),
  tried(tripsOften, (draw) => {
    const at = times(Math.floor(12 * draw()), () => 8 * dayMs * draw())
    return (params) => isFinding(evaluateTrips(params, at, 8 * dayMs))
  }),
  tried(linkUnstable, (draw) => {
    const at = times(Math.floor(60 * draw()), () => 2 * hourMs * draw())
    return (params) => isFinding(evaluateLink(params, at, 2 * hourMs))
  }),
  tried(offline, (draw) => {
    let at = 0
    const links = times(8, () => {
      at += 10 * hourMs * draw()
      return { at, link: (draw() < 0.7 ? 'offline' : 'online') as Link, periodMs: 10_000 }
    })
    return (params) => {
      const state = newOfflineState()
      return raises(links.map((each) => foldOffline(params, state, each)))
    }
  }),
  tried(diagramDisagrees, (draw) => {
    let at = 0
    const looks = times(30, () => {
      at += 60_000 * draw()
      return { at, measuredAt: draw() < 0.85 ? at : null, volts: 230, limitV: 110 }
    })
    return (params) => {
      const state = newDiagramState(false)
      return raises(looks.map((each) => foldDiagram(params, state, each)))
    }
  }),
  tried(overcurrent, (draw) => {
    const samples = stretches(draw, 6, 40, () => 50 + 30 * draw()).map((amperes, i) => ({ at: i * 20_000, amperes }))
    return (params) => {
      const state = newOvercurrentState()
      const context = { limitA: 63, point: 'current.a', periodMs: 20_000 }
      return raises(samples.map((each) => foldOvercurrent(params, state, each, context)))
    }
  }),
  tried(neutral, (draw) => {
    const sound: ThreeVoltages = [230, 229, 231]
    const broken = stretches(draw, 4, 12, () => floating(70 * draw(), 2 * Math.PI * draw(), 230 + 10 * (draw() - 0.5)))
    const samples = [
      ...times(10, (i) => ({ at: i * minuteMs, volts: sound })),
      ...broken.map((volts, i) => ({ at: 10 * minuteMs + i * 5_000, volts })),
    ]
    return (params) => {
      const state = newNeutralState()
      return raises(samples.map((each) => foldNeutral(params, state, each, { periodMs: 5_000 })))
    }
  }),
  tried(phaseLoss, (draw) => {
    const samples = stretches(draw, 5, 30, () => {
      const lost = draw() < 0.7
      return { closed: draw() < 0.9, lostV: lost ? 200 * draw() : 230, lostA: lost && draw() < 0.8 ? 0.2 : 20 }
    }).map(({ closed, lostV, lostA }, i) => {
      const [volts, amperes] = [[230, lostV, 231] as ThreeVoltages, [20, lostA, 19] as ThreeVoltages]
      return { at: i * 1_000, closed, volts, amperes }
    })
    const context = { supplyV: 230, ratedA: 63, points: ['a', 'b', 'c'], periodMs: 10_000 }
    return (params) => {
      const state = newPhaseLossState()
      return raises(samples.flatMap((each) => foldPhaseLoss(params, state, each, context)))
    }
  }),
]

/** What a line does for a while, and then something else. */
function stretches<T>(draw: Draw, count: number, length: number, make: () => T): T[] {
  return times(count, () => {
    const one = make()
    return times(Math.ceil(length * draw()), () => one)
  }).flat()
}

/** Voltages of a supply whose neutral has moved by so much in some direction. */
function floating(byV: number, towards: number, volts: number): ThreeVoltages {
  const [x, y] = [byV * Math.cos(towards), byV * Math.sin(towards)]
  const of = (i: number) => {
    const angle = (2 * Math.PI * i) / 3
    return Math.hypot(volts * Math.cos(angle) - x, volts * Math.sin(angle) - y)
  }
  return [of(0), of(1), of(2)]
}

test.each(detectors)('%s: a stricter figure never raises more', (_, check) => check())

/** Days of which the last ones are these. */
const endingWith = (usual: number, last: readonly number[], count = 60) =>
  times(count, (i) => ({ day: today - count + 1 + i, value: last[i - (count - last.length)] ?? usual }))

test('of a decision limit or a voltage that counts as dead nobody is told which way is stricter: a line may raise more either way', () => {
  // The higher the limit, the higher the sum may have come before it falls.
  const high = 120
  const leaks = endingWith(60, [...times(9, () => high), 30, 30, high, high, 30]).map(({ day, value }) => {
    return { day, floorMa: value, peakMa: null }
  })
  const leakage = (decision: number) => isFinding(evaluateLeakageStep({ ...defaultParams(leakageStep), decision }, leaks, own))
  expect([leakage(5.5), leakage(13), stricterWay('leakage.step', 'decision')]).toEqual([false, true, null])
  const arcs = endingWith(0, [24, ...times(10, () => 0), 1, 1, 1], 50).map(({ day, value }) => ({ day, hours: value }))
  const arcing = (decision: number) =>
    isFinding(evaluateArcPrecursor({ ...defaultParams(arcPrecursor), decision }, arcs, { today }))
  expect([arcing(4), arcing(10), stricterWay('arc.precursor', 'decision')]).toEqual([false, true, null])
  // What is dead for two seconds, and then fed back for nine.
  const lost = (deadShare: number) => {
    const state = newPhaseLossState()
    const context = { supplyV: 230, ratedA: 63, points: ['a', 'b', 'c'], periodMs: 10_000 }
    return raises(
      times(13, (i) => {
        const volts: ThreeVoltages = [230, 230 * (i < 3 ? 0.15 : 0.3), 231]
        const sample = { at: i * 1_000, closed: true, volts, amperes: [20, 0.2, 19] as ThreeVoltages }
        return foldPhaseLoss({ ...defaultParams(phaseLoss), deadShare }, state, sample, context)
      }).flat(),
    )
  }
  expect([lost(0.2), lost(0.1), stricterWay('phaseLoss', 'deadShare')]).toEqual([false, true, null])
})
