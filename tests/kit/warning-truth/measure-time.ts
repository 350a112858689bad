import {
  contact,
  dailyContacts,
  daysToLimit,
  defaultParams,
  leakageDay,
  median,
  quantile,
  spanOfDays,
  timeToLimit,
} from '@linewarden/rules/warning'
import type { Dice } from './dice.ts'
import { diceOf } from './dice.ts'
import type { LineTruth } from './line-truth.ts'
import { lineTruth, makeLine, riseK, thermalS } from './line-truth.ts'

/** How often the interval of the time to a limit contains the truth, and how often it is sure enough to be shown. */
export interface IntervalOutcome {
  readonly intervals: number
  readonly covered: number
  readonly shown: number
  readonly shownCovered: number
}

const days = 60
const lookedAt = days - 1
/** Days that a rise is looked for in, and since when it has been rising: nobody knows which. */
const seenDays = 30
const [risingFrom, risingTo] = [10, 30]

interface KnownRise {
  readonly at: readonly number[]
  readonly values: readonly number[]
  readonly limit: number
  readonly truthDays: number
}

export function measureIntervals(kind: 'contact' | 'leakage.drift', seed: number, lines: number): IntervalOutcome {
  let [intervals, covered, shown, shownCovered] = [0, 0, 0, 0]
  for (let line = 0; line < lines; line++) {
    const own = seed * 100_000_000 + 70_000_000 + line * 16
    const known = kind === 'contact' ? heatingContact(own) : givingInsulation(own)
    const interval = known && daysToLimit(known.at, known.values, known.limit)
    if (!known || !interval || known.truthDays <= 0) continue
    const isCovered = interval.lo <= known.truthDays && known.truthDays <= interval.hi
    intervals++
    covered += Number(isCovered)
    if (!timeToLimit(known.at, known.values, known.limit)) continue
    shown++
    shownCovered += Number(isCovered)
  }
  return { intervals, covered, shown, shownCovered }
}

const sinceDays = (dice: Dice): number => dice.between(risingFrom, risingTo)
const startOf = (since: number): number => Math.round((lookedAt + 0.5 - since) * 24)

/** A contact whose excess at the line's peak has come to between 5 and 13 K of 15; null: the line carries too little. */
function heatingContact(seed: number): KnownRise | null {
  const dice = diceOf(seed + 5)
  const make = makeLine(dice)
  const sound = lineTruth(seed, days, make)
  const load = quantile((sound.hours.squareA2[0] ?? new Float32Array()).slice(-7 * 24), 0.95) / make.ratedA ** 2
  if (load < 0.06) return null
  const [since, excess, limit] = [sinceDays(dice), dice.between(5, 13) / load, 15 / load]
  const perDayK = excess / since
  const fault = { kind: 'hotContact', startHour: startOf(since), terminal: 0, atRatedK: 0, perDayK } as const
  const fits = contactFits(lineTruth(seed, days, make, [fault]))
  // No two contacts are quite alike: that, too, is warmth that the limit counts.
  const usual = median(contactFits(sound).map(({ excessK }) => excessK))
  const behind = lookedAt - (fits.at(-1)?.day ?? lookedAt)
  return {
    at: fits.map(({ day }) => day),
    values: fits.map(({ excessK }) => excessK),
    limit,
    truthDays: (limit - excess - usual) / perDayK + behind,
  }
}

const contactFits = ({ make, hours }: LineTruth) =>
  lastDays().flatMap(
    (day) => dailyContacts(defaultParams(contact), hours, day, { ratedA: make.ratedA, riseK, thermalS })[0] ?? [],
  )

/** An insulation that has come to between 0.1 and 0.35 IΔn more than it leaked, on its way to 0.5 IΔn. */
function givingInsulation(seed: number): KnownRise {
  const dice = diceOf(seed + 5)
  const make = makeLine(dice)
  const [since, more, limit] = [sinceDays(dice), dice.between(0.1, 0.35) * make.tripMa, 0.5 * make.tripMa]
  const perDayMa = more / since
  const known = floors(lineTruth(seed, days, make, [{ kind: 'leakageDrift', startHour: startOf(since), perDayMa }]))
  const soundMa = median(floors(lineTruth(seed, days, make)).map(({ floorMa }) => floorMa))
  const behind = lookedAt - (known.at(-1)?.day ?? lookedAt)
  return {
    at: known.map(({ day }) => day),
    values: known.map(({ floorMa }) => floorMa),
    limit,
    truthDays: (limit - soundMa - more) / perDayMa + behind,
  }
}

const lastDays = (): number[] => Array.from({ length: seenDays }, (_, i) => lookedAt - seenDays + 1 + i)

const floors = ({ hours }: LineTruth): { readonly day: number; readonly floorMa: number }[] =>
  lastDays().flatMap((day) => {
    const { floorMa } = leakageDay(day, hours, spanOfDays(hours, day, day))
    return floorMa === null ? [] : [{ day, floorMa }]
  })
