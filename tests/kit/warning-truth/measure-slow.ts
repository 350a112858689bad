import { dayMs } from '@linewarden/equipment'
import type { ArcDay, FollowedFinding, Outcome } from '@linewarden/rules/warning'
import {
  arcPrecursor,
  arcPrecursorDays,
  defaultParams,
  enduranceOf,
  evaluateArcPrecursor,
  evaluateRelease,
  evaluateWear,
  followFinding,
  learningDays,
  nothingFollowed,
  openingWear,
  releaseSlow,
  wear,
} from '@linewarden/rules/warning'
import type { Dice } from './dice.ts'
import { diceOf } from './dice.ts'

const params = { arc: defaultParams(arcPrecursor), release: defaultParams(releaseSlow), wear: defaultParams(wear) }

/** Looks at the outcomes one after the other; answers at which of them something was raised. */
function raisedAt(outcomes: readonly Outcome[]): readonly number[] {
  let followed: FollowedFinding = nothingFollowed
  return outcomes.flatMap((outcome, index) => {
    const answer = followFinding(followed, outcome, 1)
    followed = answer.followed
    return answer.change?.kind === 'raised' ? [index] : []
  })
}

/** Hours a day in which a sound line arcs a little: most never do, some have a motor with brushes that works on workdays. */
function arcRate(dice: Dice): number {
  if (dice.chance(0.6)) return 0.02
  return dice.chance(0.75) ? 0.3 : 1.5
}

function arcDays(dice: Dice, days: number, more: (day: number) => number): ArcDay[] {
  const rate = arcRate(dice)
  return Array.from({ length: days }, (_, day) => {
    const hours = dice.poisson(rate * (day % 7 >= 5 ? 0.3 : 1.28) + more(day))
    return { day, hours: dice.chance(0.02) ? null : Math.min(24, hours) }
  })
}

const arcLooks = (days: readonly ArcDay[]): readonly number[] =>
  raisedAt(
    days.map(({ day }) =>
      day < learningDays
        ? null
        : evaluateArcPrecursor(params.arc, days.slice(Math.max(0, day - arcPrecursorDays), day + 1), { today: day }),
    ),
  )

export const arcFalseFindings = (seed: number, lineYears: number): number => {
  const dice = diceOf(seed * 15_485_863)
  let raised = 0
  for (let line = 0; line < lineYears; line++) raised += arcLooks(arcDays(dice, 365, () => 0)).length
  return raised
}

/** Delays in days, infinite where it was not found. */
export function measureArcs(seed: number, faults: number): readonly number[] {
  const dice = diceOf(seed * 15_485_867)
  const start = 50
  return Array.from({ length: faults }, () => {
    const more = dice.between(2, 4)
    const found = arcLooks(arcDays(dice, start + 20, (day) => (day >= start ? more : 0))).find((day) => day >= start)
    return found === undefined ? Number.POSITIVE_INFINITY : found - start
  }).sort((a, b) => a - b)
}

/** A test a month, of a release that takes its usual time; from a test on it may take longer by a factor. */
function releaseTests(dice: Dice, count: number, slowFrom: number, factor: number) {
  const usual = dice.between(18, 60)
  return Array.from({ length: count }, (_, i) => ({
    at: i * 30 * dayMs,
    tripMs: Math.round(usual * (i >= slowFrom ? factor : 1) + 3 * dice.normal()),
  }))
}

const releaseLooks = (tests: ReturnType<typeof releaseTests>): readonly number[] =>
  raisedAt(tests.map((_, i) => evaluateRelease(params.release, tests.slice(0, i + 1))))

export function releaseFalseFindings(seed: number, lineYears: number): number {
  const dice = diceOf(seed * 32_452_843)
  let raised = 0
  // Five years of a line at a time: before its eighth test nothing is said.
  for (let line = 0; line < lineYears / 5; line++) raised += releaseLooks(releaseTests(dice, 60, 60, 1)).length
  return raised
}

/** In how many tests it was found, infinite where it was not. */
export function measureReleases(seed: number, faults: number): readonly number[] {
  const dice = diceOf(seed * 32_452_867)
  return Array.from({ length: faults }, () => {
    const from = 8 + Math.floor(dice.between(0, 20))
    const usualSlower = dice.between(3.5, 6)
    const found = releaseLooks(releaseTests(dice, from + 6, from, usualSlower)).find((test) => test >= from)
    return found === undefined ? Number.POSITIVE_INFINITY : found - from + 1
  }).sort((a, b) => a - b)
}

/** Breakers that were opened until they were worn, and those whose level rose at exactly the opening at which it had to. */
export function measureWear(seed: number, breakers: number): number {
  const dice = diceOf(seed * 49_979_687)
  let exact = 0
  for (let breaker = 0; breaker < breakers; breaker++) {
    const ratedA = dice.of([16, 63, 160, 400])
    const endurance = enduranceOf(ratedA)
    let [share, counted, openings] = [0, 0, 0]
    let right = true
    while (counted < 1.1) {
      const current = dice.chance(0.05) ? dice.between(1, 6) : dice.between(0, 1)
      const shortCircuit = dice.chance(0.001)
      openings++
      share += openingWear({ ratedA, brokenA: current * ratedA, shortCircuit }, endurance)
      counted += Math.max(shortCircuit ? 0.1 : 0, 1 / endurance.mechanical, (current * current) / endurance.electrical)
      const outcome = evaluateWear(params.wear, { share, openings })
      const expected = counted >= 1 ? 'alarm' : counted >= 0.8 ? 'warning' : counted >= 0.6 ? 'notice' : null
      // At the limit itself the last bit of a sum may differ.
      const atLimit = [0.6, 0.8, 1].some((limit) => Math.abs(counted - limit) < 1e-9)
      if (!atLimit && (outcome && 'level' in outcome ? outcome.level : null) !== expected) right = false
    }
    if (right) exact++
  }
  return exact
}
