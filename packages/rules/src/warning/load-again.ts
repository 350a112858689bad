import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import type { LineHours } from './hours.ts'

/** What was nearly too much at this hour of such a day may be so again: shown for the day, and no event. */
export const loadAgain = detector({
  key: 'load.again',
  label: { zh: '可能过载', en: 'May overload today' },
  priority: 'low',
  looks: 1,
  parameters: {
    days: parameter('出现天数', 'Days that passed it', 'd', [1, 2, 3], 'default of ours'),
  },
})

/** So many of the last days alike are looked at. */
const daysAlike = 3
/** Longer than any holiday with the days around it. */
const maxDaysBack = 30
const hoursOfClass = 24

/**
 * Evaluates the day after `today`: an hour at which on as many of its last three days alike the highest current passed the warning
 * limit. `slot` of an hour is below 24 on a workday and above on a rest day.
 */
export function evaluateLoadAgain(
  params: Params<typeof loadAgain>,
  hours: LineHours,
  {
    today,
    isRestDay,
    limitA,
    points,
  }: {
    readonly today: number
    /** Of the day that comes. */
    readonly isRestDay: boolean
    readonly limitA: number | null
    readonly points: readonly string[]
  },
): Outcome {
  if (limitA === null) return notEvaluated('settingUnknown')
  const last = lastDaysAlike(hours, today, isRestDay)
  if (last.length < params.days) return notEvaluated('tooFewDays', last.length, params.days)
  let worst: { readonly amperes: number; readonly point: string } | null = null
  const hoursAgain = new Set<number>()
  for (const [phase, point] of points.entries())
    for (const [slot, amperes] of highestAgain(params.days, hours, { values: hours.maxA[phase], limitA, last, isRestDay })) {
      hoursAgain.add(slot % hoursOfClass)
      if (amperes > (worst?.amperes ?? 0)) worst = { amperes, point }
    }
  if (worst === null) return null
  const inOrder = [...hoursAgain].toSorted((one, other) => one - other)
  const shown = evidence({ value: worst.amperes, limit: limitA, unit: 'A', used: last.length, hours: inOrder })
  return { key: loadAgain.key, point: worst.point, level: 'notice', evidence: shown }
}

/** The first day that is looked at for the one after `today`: the last three like it lie at or after it, also behind a long holiday. */
export function loadAgainFrom(today: number, isRestDay: (day: number) => boolean): number {
  const isRestDayNext = isRestDay(today + 1)
  let found = 0
  for (let day = today; day > today - maxDaysBack; day--) {
    if (isRestDay(day) === isRestDayNext) found += 1
    if (found === daysAlike) return day
  }
  return today - maxDaysBack
}

/** The hours, by their slot, at which a phase passed the limit on so many of these days, with its highest current then. */
function highestAgain(
  days: number,
  hours: LineHours,
  {
    values,
    limitA,
    last,
    isRestDay,
  }: {
    readonly values: Float32Array | undefined
    readonly limitA: number
    readonly last: readonly number[]
    readonly isRestDay: boolean
  },
): (readonly [slot: number, amperes: number])[] {
  const passed = new Map<number, { readonly days: Set<number>; amperes: number }>()
  for (let i = 0; i < hours.hour.length; i++) {
    const value = values?.[i] ?? Number.NaN
    // Most hours pass no limit: nothing else is asked of them.
    if (!(value > limitA) || hours.counts[i] !== 1) continue
    const [slot, day] = [hours.slot[i] ?? 0, hours.day[i] ?? 0]
    if (slot >= hoursOfClass !== isRestDay || !last.includes(day)) continue
    const own = passed.get(slot) ?? { days: new Set(), amperes: 0 }
    passed.set(slot, own)
    own.days.add(day)
    own.amperes = Math.max(own.amperes, value)
  }
  return [...passed].flatMap(([slot, own]) => (own.days.size >= days ? [[slot, own.amperes] as const] : []))
}

function lastDaysAlike(hours: LineHours, today: number, isRestDay: boolean): readonly number[] {
  const days = new Set<number>()
  for (let i = hours.hour.length - 1; i >= 0 && days.size < daysAlike; i--) {
    const day = hours.day[i] ?? 0
    if (day <= today && hours.counts[i] === 1 && (hours.slot[i] ?? 0) >= hoursOfClass === isRestDay) days.add(day)
  }
  return [...days]
}
