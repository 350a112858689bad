import { quantile } from '@linewarden/rules/warning'
import { diceOf } from './dice.ts'
import type { LineMake, LineTruth, TrueFault } from './line-truth.ts'
import { grown, lineTruth, makeLine } from './line-truth.ts'
import type { DailyDetector } from './watch-line.ts'
import { dailyDetectors, watchLine } from './watch-line.ts'

/** Lines of one run are this far apart, so that none shares its draws with another. */
const seedsApart = 16
const daysOfYear = 365

type PerDetector = Readonly<Record<DailyDetector, number>>

/** How often each detector raised something on lines on which nothing is wrong, over so many line-years. */
export function falseFindings(seed: number, lineYears: number): PerDetector {
  const raised = Object.fromEntries(dailyDetectors.map((each) => [each, 0])) as Record<DailyDetector, number>
  for (let line = 0; line < lineYears; line++) {
    const own = seedOf(seed, line)
    for (const { detector } of watchLine(lineTruth(own, daysOfYear, makeLine(diceOf(own + 5))))) raised[detector]++
  }
  return raised
}

const seedOf = (seed: number, line: number): number => seed * 100_000_000 + line * seedsApart

/** What became of the faults of one kind: days until they were found, in order; of a growing load from the day on which it crosses the rated current, so that ahead of it is below zero. */
interface FaultOutcome {
  readonly faults: number
  /** Lines that carry too little for anything to be said of their contacts. */
  readonly notEvaluable: number
  readonly delays: readonly number[]
}

/** Puts one fault into each of so many lines and answers after how many days it was found. */
export function measureFaults(kind: DailyDetector, seed: number, faults: number): FaultOutcome {
  const delays: number[] = []
  let notEvaluable = 0
  for (let line = 0; line < faults; line++) {
    const own = seedOf(seed + 50, line)
    const made = faultyLine(kind, own)
    if (!made) {
      notEvaluable++
      continue
    }
    const { truth, startDay, countsFrom } = made
    const first = watchLine(truth, [kind]).find(({ day }) => day >= startDay)
    delays.push(first ? first.day - countsFrom : Number.POSITIVE_INFINITY)
  }
  return { faults, notEvaluable, delays: delays.sort((a, b) => a - b) }
}

interface FaultyLine {
  readonly truth: LineTruth
  readonly startDay: number
  /** The day that delays count from. */
  readonly countsFrom: number
}

/** A line with one fault of this kind that began at an hour of its own; null: nothing could be said of it. */
function faultyLine(kind: DailyDetector, seed: number): FaultyLine | null {
  const dice = diceOf(seed + 5)
  const make = makeLine(dice)
  const startDay = Math.floor(dice.between(40, 50))
  const startHour = startDay * 24 + Math.floor(dice.between(0, 24))
  const line = (days: number, fault: TrueFault) => ({
    truth: lineTruth(seed, days, make, [fault]),
    startDay,
    countsFrom: startDay,
  })
  switch (kind) {
    case 'leakage.step':
    case 'leakage.step hourly':
      return line(60, { kind: 'leakageStep', startHour, sizeMa: stepShare * make.tripMa })
    case 'leakage.drift':
      return line(110, { kind: 'leakageDrift', startHour, perDayMa: (driftShare * make.tripMa) / driftDays })
    case 'contact': {
      const load = usualLoad(lineTruth(seed, 60, make))
      if (load < minLoad) return null
      const terminal = Math.floor(dice.between(0, make.phases === 1 ? 2 : 3))
      return line(60, { kind: 'hotContact', startHour, terminal, atRatedK: dice.between(minExcessK, 20) / load, perDayK: 0 })
    }
    case 'load.growth':
      return growingLine(seed, make, dice.between(0.02, 0.03), dice.between(0.4, 0.7))
  }
}

/** The faults that must be found: a step of the residual current, a drift, and what a contact has at the line's own load. */
const stepShare = 0.15
const [driftShare, driftDays] = [0.4, 60]
const minExcessK = 8
/** Squared share of the rated current below which contacts are not evaluated. */
const minLoad = 0.06

const usualLoad = ({ make, hours }: LineTruth): number =>
  Math.min(...hours.squareA2.map((each) => quantile(each, 0.95))) / make.ratedA ** 2

/** The line grows until it crosses its rated current. */
function growingLine(seed: number, made: LineMake, perWeek: number, peakShare: number): FaultyLine {
  const make = { ...made, peakShare }
  const startDay = 70
  const season = (day: number) =>
    (1 + make.seasonShare * Math.sin((2 * Math.PI * (day - make.seasonDay)) / 365)) / (1 + make.seasonShare)
  const fault = { kind: 'loadGrowth', startHour: startDay * 24, perWeek } as const
  let crossing = startDay
  while (peakShare * season(crossing) * grown([fault], crossing * 24) < 1) crossing++
  return { truth: lineTruth(seed, crossing + 1, make, [fault]), startDay, countsFrom: crossing }
}
