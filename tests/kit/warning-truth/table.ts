import { median } from '@linewarden/rules/warning'
import { falseFindings, measureFaults } from './measure-daily.ts'
import type { LiveDetector } from './measure-live.ts'
import { liveDetectors, liveFalseFindings, measureLiveFaults } from './measure-live.ts'
import { arcFalseFindings, measureArcs, measureReleases, measureWear, releaseFalseFindings } from './measure-slow.ts'
import { measureIntervals } from './measure-time.ts'
import type { DailyDetector } from './watch-line.ts'
import { dailyDetectors } from './watch-line.ts'

/** All detectors together may raise this much on a sound line in a year. */
export const maxFalsePerLineYear = 0.2

/** One row of the table of what must be found. */
export interface DetectorRow {
  readonly detector: string
  readonly foundPercent: number
  readonly within: string
  /** Of those that were found, in the unit of `within`. */
  readonly median: number
  readonly falsePerLineYear: number
  readonly notEvaluable: number
  readonly pass: boolean
}

interface Wanted {
  readonly percent: number
  /** The latest delay that counts as found. */
  readonly within: number
  readonly words: string
  readonly falsePerLineYear: number
}

const wantedDaily: Readonly<Record<DailyDetector, Wanted>> = {
  'leakage.step': { percent: 99, within: 3, words: 'within 3 days', falsePerLineYear: 0.02 },
  // Within hours only what is larger than a step that days show for certain.
  'leakage.step hourly': { percent: 0, within: 1, words: 'within 1 day', falsePerLineYear: 0.01 },
  'leakage.drift': { percent: 99, within: 25, words: 'within 25 days', falsePerLineYear: 0.02 },
  contact: { percent: 98, within: 7, words: 'within 7 days', falsePerLineYear: 0.005 },
  'load.growth': { percent: 88, within: -7, words: 'a week before it crosses In', falsePerLineYear: 0.06 },
}
const wantedLive: Readonly<Record<LiveDetector, Omit<Wanted, 'within'>>> = {
  neutral: { percent: 98, words: 'within 30 s', falsePerLineYear: 0.002 },
  phaseLoss: { percent: 100, words: 'within its delay + 2 periods', falsePerLineYear: 0.001 },
  overcurrent: { percent: 100, words: 'within its delay + 2 periods', falsePerLineYear: 0.001 },
  offline: { percent: 100, words: 'within its delay + 2 periods', falsePerLineYear: 0.001 },
}
const wantedArc: Wanted = { percent: 90, within: 7, words: 'within 7 days', falsePerLineYear: 0.05 }
const wantedRelease: Wanted = { percent: 95, within: 3, words: 'within 3 tests', falsePerLineYear: 0.01 }

/** How often each detector raised something on sound lines, over so many line-years. */
export const allFalseFindings = (seed: number, lineYears: number): Readonly<Record<string, number>> => ({
  ...falseFindings(seed, lineYears),
  ...liveFalseFindings(seed, lineYears),
  'arc.precursor': arcFalseFindings(seed, lineYears),
  'release.slow': releaseFalseFindings(seed, lineYears),
})

/** Puts so many faults of each kind into lines; `raised` is what sound ones raised. */
export function faultRows(
  seed: number,
  faults: number,
  raised: Readonly<Record<string, number>>,
  lineYears: number,
): readonly DetectorRow[] {
  const row = (detector: string, delays: readonly number[], wanted: Wanted, notEvaluable = 0): DetectorRow => {
    const found = delays.filter((each) => each <= wanted.within).length / delays.length
    const falsePerLineYear = (raised[detector] ?? 0) / lineYears
    return {
      detector,
      foundPercent: Math.round(found * 1_000) / 10,
      within: wanted.words,
      median: median(delays.filter(Number.isFinite)),
      falsePerLineYear: Math.round(falsePerLineYear * 10_000) / 10_000,
      notEvaluable,
      pass: found * 100 >= wanted.percent && falsePerLineYear <= wanted.falsePerLineYear,
    }
  }
  const daily = dailyDetectors.map((detector) => {
    const { delays, notEvaluable } = measureFaults(detector, seed, faults)
    return row(detector, delays, wantedDaily[detector], notEvaluable)
  })
  const live = liveDetectors.map((detector) =>
    row(detector, measureLiveFaults(detector, seed, faults), { within: Number.MAX_VALUE, ...wantedLive[detector] }),
  )
  const exact = measureWear(seed, Math.ceil(faults / 10))
  return [
    ...daily,
    ...live,
    row('arc.precursor', measureArcs(seed, faults), wantedArc),
    row('release.slow', measureReleases(seed, faults), wantedRelease),
    row(
      'wear',
      Array.from({ length: Math.ceil(faults / 10) }, (_, i) => (i < exact ? 0 : Number.POSITIVE_INFINITY)),
      {
        percent: 100,
        within: 0,
        words: 'at exactly its opening',
        falsePerLineYear: 0,
      },
    ),
  ]
}

/** How often the time to a limit contains the truth. */
export const intervalRows = (seed: number, lines: number) =>
  (['contact', 'leakage.drift'] as const).map((kind) => {
    const { intervals, covered, shown, shownCovered } = measureIntervals(kind, seed, lines)
    const percent = (part: number, whole: number) => Math.round((1_000 * part) / whole) / 10
    return {
      kind,
      intervals,
      coveredPercent: percent(covered, intervals),
      shown,
      shownCoveredPercent: percent(shownCovered, shown),
    }
  })
