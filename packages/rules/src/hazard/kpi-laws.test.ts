import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { CountedStep, DayCount, LocalDays } from './counting.ts'
import { addCounts, countedAs, countedStep, countStep, longActiveMs, nothingCounted, tenOf, windowMs } from './counting.ts'
import type { Window } from './rate.ts'
import { floodsOf, hoursOfWeek, quantileOf, rateOf } from './rate.ts'

// What is counted step by step, in whatever order and portions, says the same as the alarms themselves. In Berlin, where clocks change on the
// 29th of March and on the 25th of October: those days have 23 and 25 hours.
const numRuns = lawRuns(500)
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const starts = [Date.UTC(2026, 2, 26), Date.UTC(2026, 9, 22), Date.UTC(2026, 5, 1)]
const spanDays = 6

const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' })
/** The moment as if the clock of Berlin were UTC. */
const local = (at: number): number => Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
const dayOf = (at: number): number => Math.floor(local(at) / dayMs)
/** The midnights there are, found by looking at the clock every quarter of an hour. */
const midnights = new Map(
  starts.flatMap((start) => {
    const found: [number, number][] = []
    for (let at = start - 2 * dayMs; at < start + (spanDays + 4) * dayMs; at += 15 * minuteMs)
      if (dayOf(at) !== dayOf(at - 1)) found.push([dayOf(at), at])
    return found
  }),
)
const days: LocalDays = { dayOf, startOf: (day) => midnights.get(day) ?? Number.NaN }

interface Alarm {
  readonly raisedAt: number
  readonly returnedAt: number
  /** Null: nobody did. */
  readonly acknowledgedAt: number | null
  readonly priority: Priority
  readonly announced: boolean
}

const anyPlant = fc.constantFrom(...starts).chain((start) =>
  fc.record({
    start: fc.constant(start),
    alarms: fc.array(
      fc
        .record({
          at: fc.oneof(fc.integer({ min: 0, max: spanDays * dayMs }), fc.integer({ min: 2 * dayMs, max: 2 * dayMs + hourMs })),
          lasts: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 3 * dayMs })),
          acknowledged: fc.option(fc.integer({ min: 0, max: dayMs })),
          priority: fc.constantFrom<Priority>(...priorities),
          announced: fc.boolean(),
        })
        .map(
          ({ at, lasts, acknowledged, priority, announced }): Alarm => ({
            raisedAt: start + at,
            returnedAt: start + at + lasts,
            acknowledgedAt: acknowledged === null ? null : start + at + acknowledged,
            priority,
            announced,
          }),
        ),
      { maxLength: 60 },
    ),
    order: fc
      .infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))
      .map((stream) => Array.from({ length: 200 }, () => stream.next().value ?? 0)),
  }),
)

const blank = {
  announced: false,
  historical: false,
  activeSince: null,
  calledAt: null,
  actedOn: false,
  raisesBefore: [],
}
function stepsOf(alarm: Alarm): { readonly step: CountedStep; readonly priority: Priority }[] {
  const { raisedAt, returnedAt, acknowledgedAt, announced, priority } = alarm
  const actedOn = acknowledgedAt !== null && acknowledgedAt <= returnedAt
  const steps: CountedStep[] = [
    { ...blank, act: 'raise', at: raisedAt, announced },
    { ...blank, act: 'return', at: returnedAt, activeSince: raisedAt, actedOn },
  ]
  if (acknowledgedAt !== null) steps.push({ ...blank, act: 'acknowledge', at: acknowledgedAt, calledAt: raisedAt })
  return steps.map((step) => ({ step, priority }))
}

const law = (
  name: string,
  check: (plant: { start: number; alarms: readonly Alarm[]; byDay: Map<number, DayCount>; windows: Window[] }) => void,
) =>
  test(name, () =>
    fc.assert(
      fc.property(anyPlant, ({ start, alarms, order }) => {
        const byDay = new Map<number, DayCount>()
        const byTen = new Map<number, number>()
        const steps = alarms.flatMap(stepsOf).map((each, i) => ({ ...each, place: order[i % order.length] ?? 0 }))
        for (const { step } of steps.toSorted((a, b) => a.place - b.place)) {
          for (const [day, count] of countStep(step, days)) byDay.set(day, addCounts(byDay.get(day) ?? nothingCounted, count))
          if (step.announced) byTen.set(tenOf(step.at), (byTen.get(tenOf(step.at)) ?? 0) + 1)
        }
        check({ start, alarms, byDay, windows: [...byTen].map(([ten, announced]) => ({ ten, announced })) })
      }),
      { numRuns },
    ),
  )

law('each day counts what was raised, announced, fleeting and unjustified on it', ({ alarms, byDay }) => {
  for (const [day, count] of byDay) {
    const raised = alarms.filter(({ raisedAt }) => dayOf(raisedAt) === day)
    const back = alarms.filter(({ returnedAt }) => dayOf(returnedAt) === day)
    const idle = back.filter(({ acknowledgedAt, returnedAt }) => acknowledgedAt === null || acknowledgedAt > returnedAt)
    expect([count.raised, count.announced]).toEqual([raised.length, raised.filter(({ announced }) => announced).length])
    expect(count.fleeting).toBe(idle.filter(({ raisedAt, returnedAt }) => returnedAt - raisedAt <= 5_000).length)
    expect(count.unjustified).toBe(idle.filter(({ raisedAt, returnedAt }) => returnedAt - raisedAt <= minuteMs).length)
  }
  const sum = (of: (count: DayCount) => number) => [...byDay.values()].reduce((all, each) => all + of(each), 0)
  expect(sum(({ raised }) => raised)).toBe(alarms.length)
  expect(sum(({ activeMs }) => activeMs)).toBe(alarms.reduce((all, { raisedAt, returnedAt }) => all + returnedAt - raisedAt, 0))
})

law('at each midnight as many are long active as had been for more than 24 h and were still', ({ alarms, byDay }) => {
  for (const [day, midnight] of midnights) {
    const long = alarms.filter(({ raisedAt, returnedAt }) => midnight - raisedAt > longActiveMs && midnight < returnedAt)
    expect(byDay.get(day)?.overDay ?? 0).toBe(long.length)
  }
})

law('no day counts more time than it has: 23, 24 or 25 hours of each alarm', ({ alarms, byDay }) => {
  for (const [day, { activeMs }] of byDay)
    expect(activeMs).toBeLessThanOrEqual(alarms.length * (days.startOf(day + 1) - days.startOf(day)))
})

law('a step is listed as what it was counted, and no other is', ({ alarms, byDay }) => {
  const listed = alarms.flatMap(stepsOf).map(({ step }) => countedStep(step))
  const sum = (of: (count: DayCount) => number) => [...byDay.values()].reduce((all, each) => all + of(each), 0)
  for (const figure of countedAs)
    expect(listed.filter(({ as }) => as.includes(figure)).length).toBe(
      sum((count) => (figure === 'acknowledged' ? count.ackSeconds.length : count[figure])),
    )
  expect(listed.filter(({ longSince }) => longSince !== null)).toHaveLength(
    alarms.filter(({ raisedAt, returnedAt }) => returnedAt - raisedAt > longActiveMs).length,
  )
})

law('the response is the median and the 90th of what each acknowledgement took', ({ alarms, byDay }) => {
  const took = alarms
    .flatMap(({ acknowledgedAt, raisedAt }) => (acknowledgedAt === null ? [] : [Math.round((acknowledgedAt - raisedAt) / 1000)]))
    .sort((a, b) => a - b)
  const kept = [...byDay.values()].flatMap(({ ackSeconds }) => ackSeconds)
  for (const share of [0.5, 0.9])
    expect(
      quantileOf(
        kept.map((each) => [each, 1] as const),
        share,
      ),
    ).toBe(took[Math.ceil(took.length * share) - 1] ?? null)
})

/** Every window of the range, also those without any. */
const allWindows = ({ start, alarms }: { start: number; alarms: readonly Alarm[] }): number[] => {
  const counts = Array.from({ length: ((spanDays + 1) * dayMs) / windowMs }, () => 0)
  for (const { raisedAt, announced } of alarms) {
    const index = Math.floor((raisedAt - start) / windowMs)
    if (announced) counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

law('the rate is that of all windows, the empty ones among them', (plant) => {
  const all = allWindows(plant)
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(all.length * share) - 1]
  const among = (from: number, to: number) => all.filter((each) => each >= from && each <= to).length
  expect(rateOf(plant.windows, all.length)).toEqual({
    windows: all.length,
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1),
    none: among(0, 0),
    one: among(1, 1),
    few: among(2, 10),
    many: among(11, Number.POSITIVE_INFINITY),
  })
})

law('a flood begins above 10 in ten minutes and ends below 5', (plant) => {
  const all = allWindows(plant)
  const floods: { from: number; announced: number }[] = []
  let isOpen = false
  for (const [i, count] of all.entries()) {
    if (isOpen && count < 5) isOpen = false
    const last = floods.at(-1)
    if (isOpen && last) last.announced += count
    if (!isOpen && count > 10) {
      isOpen = true
      floods.push({ from: plant.start + i * windowMs, announced: count })
    }
  }
  expect(floodsOf(plant.windows).map(({ from, announced }) => ({ from, announced }))).toEqual(floods)
})

law('hours of the week are as many as the clock showed, and lose no announcement', ({ start, windows, alarms }) => {
  const [from, to] = [tenOf(start), tenOf(start + (spanDays + 1) * dayMs)]
  const hours = hoursOfWeek(windows, { from, to, local })
  expect(hours.reduce((sum, each) => sum + each.hours, 0)).toBe((spanDays + 1) * 24)
  expect(hours.reduce((sum, each) => sum + each.announced, 0)).toBe(alarms.filter(({ announced }) => announced).length)
  const nights = hours.filter(({ weekday, hour }) => weekday === 6 && hour === 2)
  // The hour from 2 to 3 of that Sunday is left out in March, and comes twice in October.
  const [march, october] = starts
  expect(nights[0]?.hours).toBe(start === march ? 0 : start === october ? 2 : 1)
})
