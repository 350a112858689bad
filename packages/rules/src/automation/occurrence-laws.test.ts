import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { CalendarDay } from './calendar.ts'
import { createCalendar, dayClasses } from './calendar.ts'
import type { ProjectTime } from './occurrences.ts'
import { lastDue, nextDue, nextRuns, occurrences } from './occurrences.ts'
import { localMinutes, zonesOfTests } from './test-civil.ts'
import type { Period, Schedule, TimerPoint } from './timer.ts'

// The laws of what is due, against a walk over all minutes that Intl alone gives.
const numRuns = lawRuns(20)
const [minuteMs, dayMs] = [60_000, 86_400_000]

/** Local dates around which clocks change somewhere, and plain ones. */
const anyStart = fc.constantFrom(
  ...[
    '2011-12-28',
    '2025-03-28',
    '2025-04-04',
    '2025-09-05',
    '2025-10-03',
    '2025-10-24',
    '2026-02-13',
    '2026-06-29',
    '2024-02-27',
  ],
)
const dateAfter = (start: string, days: number) => new Date(Date.parse(start) + days * dayMs).toISOString().slice(0, 10)
const timeText = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** Often in the night, where clocks change. */
const anyMinute = fc.oneof(fc.integer({ min: 0, max: 239 }), fc.integer({ min: 0, max: 1_439 }))
const anyPoints = fc
  .uniqueArray(anyMinute, { minLength: 1, maxLength: 5 })
  .map((minutes) =>
    minutes.map(
      (minute, index): TimerPoint => ({ pointNo: index + 1, at: timeText(minute), action: index % 2 ? 'trip' : 'close' }),
    ),
  )
const anyPeriod = (start: string) =>
  fc.oneof(
    fc.record({ type: fc.constant('once' as const), date: fc.integer({ min: 0, max: 4 }).map((days) => dateAfter(start, days)) }),
    fc.record({ type: fc.constant('weekly' as const), days: fc.integer({ min: 1, max: 127 }) }),
    fc.record({ type: fc.constant('calendar' as const), classes: fc.subarray([...dayClasses], { minLength: 1 }) }),
    fc.record({
      type: fc.constant('monthly' as const),
      days: fc.subarray([-1, 1, 4, 5, 6, 26, 28, 29, 30, 31], { minLength: 1 }),
    }),
  )
const anyCase = anyStart.chain((start) =>
  fc.record({
    start: fc.constant(start),
    timeZone: fc.constantFrom(...zonesOfTests),
    period: anyPeriod(start),
    bounds: fc.option(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))),
    points: anyPoints,
    exception: fc.option(
      fc.record({ from: fc.integer({ min: 0, max: 4 }), days: fc.integer({ min: 0, max: 2 }), points: fc.option(anyPoints) }),
    ),
    special: fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(...dayClasses)), { maxLength: 3 }),
  }),
)
type Case = typeof anyCase extends fc.Arbitrary<infer C> ? C : never

function madeOf({ start, timeZone, period, bounds, points, exception, special }: Case) {
  const days = special.map(
    ([day, dayClass]): CalendarDay => ({ date: dateAfter(start, day), class: dayClass, name: '', origin: 'person' }),
  )
  const schedule: Schedule = {
    period: {
      ...period,
      fromDate: bounds && dateAfter(start, bounds[0]),
      toDate: bounds && dateAfter(start, bounds[0] + bounds[1]),
    } as Period,
    points,
    exceptions: exception
      ? [
          {
            fromDate: dateAfter(start, exception.from),
            toDate: dateAfter(start, exception.from + exception.days),
            points: exception.points ?? 'none',
          },
        ]
      : [],
    skipNext: null,
  }
  const time: ProjectTime = { timeZone, calendar: createCalendar({ project: days }), position: null }
  return { schedule, time, classes: new Map(days.map((each) => [each.date, each.class])) }
}

/** What is due on a date by the texts alone. */
function pointsOn(
  date: string,
  { period, exceptions, points }: Schedule,
  classes: ReadonlyMap<string, string>,
): readonly TimerPoint[] {
  if ((period.fromDate && date < period.fromDate) || (period.toDate && date > period.toDate)) return []
  const exception = period.type !== 'once' && exceptions.find((each) => each.fromDate <= date && date <= each.toDate)
  if (exception) return exception.points === 'none' ? [] : exception.points
  const weekday = (new Date(date).getUTCDay() + 6) % 7
  const isLast = dateAfter(date, 1).endsWith('-01')
  const matches = {
    once: () => period.type === 'once' && period.date === date,
    weekly: () => period.type === 'weekly' && Math.floor(period.days / 2 ** weekday) % 2 === 1,
    sun: () => false,
    calendar: () =>
      period.type === 'calendar' &&
      period.classes.some((each) => each === (classes.get(date) ?? (weekday < 5 ? 'workday' : 'restday'))),
    monthly: () =>
      period.type === 'monthly' && (period.days.includes(Number(date.slice(8))) || (isLast && period.days.includes(-1))),
  }
  return matches[period.type]() ? points : []
}

/** Instant and point of all that is due on these dates, the later by the wall where two fall together. */
function walk(schedule: Schedule, timeZone: string, classes: ReadonlyMap<string, string>, dates: readonly string[]) {
  const due = new Map<number, string>()
  for (const date of dates) {
    const minutes = localMinutes(timeZone, date)
    const sorted = [...pointsOn(date, schedule, classes)].sort((one, other) => String(one.at).localeCompare(String(other.at)))
    for (const { at, pointNo } of minutes.length === 0 ? [] : sorted) {
      const [hour, minute] = String(at).split(':').map(Number)
      due.set(minutes[(hour ?? 0) * 60 + (minute ?? 0)] ?? Number.NaN, `${date} ${pointNo}`)
    }
  }
  return [...due].sort(([one], [other]) => one - other).map(([at, point]) => `${at} ${point}`)
}

const law = (name: string, check: (made: ReturnType<typeof madeOf>, start: string, cuts: readonly number[]) => void) =>
  test(name, () => {
    const anyCuts = fc.array(fc.integer({ min: 0, max: 5 * 1_440 }), { maxLength: 6 })
    fc.assert(
      fc.property(anyCase, anyCuts, (each, cuts) => check(madeOf(each), each.start, cuts)),
      { numRuns },
    )
  })

law('what is due is what a walk over all minutes of each date finds', ({ schedule, time, classes }, start) => {
  const dates = [0, 1, 2, 3, 4].map((days) => dateAfter(start, days))
  const found = occurrences(schedule, time, Date.parse(start) - 2 * dayMs, Date.parse(start) + 8 * dayMs)
    .filter(({ date }) => dates.includes(date))
    .map(({ at, date, pointNo }) => `${at} ${date} ${pointNo}`)
  expect(found).toEqual(walk(schedule, time.timeZone, classes, dates))
})

law('what is due rises strictly, and no point of a date is due twice or both due and merged', ({ schedule, time }, start) => {
  const found = occurrences(schedule, time, Date.parse(start), Date.parse(start) + 6 * dayMs)
  for (const [index, { at }] of found.entries()) if (index > 0) expect(at).toBeGreaterThan(found[index - 1]!.at)
  const points = found.flatMap((each) => [each, ...each.merged]).map(({ date, pointNo }) => `${date} ${pointNo}`)
  expect(new Set(points).size).toBe(points.length)
})

law('cutting the window anywhere gives the same', ({ schedule, time }, start, cuts) => {
  const [from, to] = [Date.parse(start), Date.parse(start) + 5 * dayMs]
  const edges = [from, ...cuts.map((minute) => from + minute * minuteMs), to].sort((one, other) => one - other)
  const pieces = edges.slice(1).flatMap((edge, index) => occurrences(schedule, time, edges[index] ?? from, edge))
  expect(pieces).toEqual(occurrences(schedule, time, from, to))
})

law('the next run after the next one is the second, and the last one before it is the first', ({ schedule, time }, start) => {
  const after = Date.parse(start)
  const [first, second] = nextRuns(schedule, time, after, 2)
  expect(nextDue(schedule, time, after)).toEqual(first ?? null)
  if (first) expect(nextDue(schedule, time, first.at)).toEqual(second ?? null)
  if (second) expect(lastDue(schedule, time, second.at - 1)).toEqual(first)
  if (first) expect(lastDue(schedule, time, first.at)).toEqual(first)
})

/** Ten years from the date that Samoa never had: in them most of these zones changed their rule for clocks, or ended it. */
const tenYears = { from: '2011-12-29', days: process.env.TEST_LONG ? 3_653 : 4 }

test.each(zonesOfTests)('in %s what is due is what a walk over all minutes finds', (timeZone) => {
  const points = ['00:00', '00:30', '01:59', '02:15', '03:00', '12:00', '23:45'].map(
    (at, index): TimerPoint => ({ pointNo: index + 1, at, action: index % 2 ? 'trip' : 'close' }),
  )
  const period = { type: 'weekly', days: 127, fromDate: null, toDate: null } as const
  const schedule: Schedule = { period, points, exceptions: [], skipNext: null }
  const time: ProjectTime = { timeZone, calendar: createCalendar({}), position: null }
  const dates = Array.from({ length: tenYears.days }, (_, day) => dateAfter(tenYears.from, day))
  const begin = Date.parse(tenYears.from)
  const found = occurrences(schedule, time, begin - 2 * dayMs, begin + (tenYears.days + 2) * dayMs)
    .filter(({ date }) => dates[0]! <= date && date <= dates.at(-1)!)
    .map(({ at, date, pointNo }) => `${at} ${date} ${pointNo}`)
  expect(found).toEqual(walk(schedule, timeZone, new Map(), dates))
})
