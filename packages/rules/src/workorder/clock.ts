import type { Priority } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { ProjectCalendar } from '../automation/calendar.ts'
import { civilZone } from '../automation/civil-time.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Working time of a workday, local. */
export const workingHours = { fromHour: 8, toHour: 18 } as const
const workingDayMs = (workingHours.toHour - workingHours.fromHour) * hourMs

export interface SlaTarget {
  /** `always`: round the clock. `working`: the working hours of workdays. */
  readonly counts: 'always' | 'working'
  readonly respondMs: number
  readonly resolveMs: number
}

/** Defaults of the design: from dispatch until somebody takes it, and until it is processed. */
export const slaTargets: Readonly<Record<Priority, SlaTarget>> = {
  critical: { counts: 'always', respondMs: 30 * minuteMs, resolveMs: 4 * hourMs },
  high: { counts: 'always', respondMs: 2 * hourMs, resolveMs: 24 * hourMs },
  medium: { counts: 'working', respondMs: 8 * hourMs, resolveMs: 3 * workingDayMs },
  low: { counts: 'working', respondMs: 3 * workingDayMs, resolveMs: 7 * workingDayMs },
}

/** A stretch in which the clock stands: a pause, or a processed order that waits for its approver. Unix ms; until null: it goes on. */
export interface Interruption {
  readonly from: number
  readonly until: number | null
  readonly processed: boolean
}

/** The clock of an order as it is kept: what happened to it, and never what has run. */
export interface OrderClock {
  /** When whoever has it was given it; null: nobody was. */
  readonly respondFrom: number | null
  readonly takenAt: number | null
  /** When this round began. */
  readonly resolveFrom: number | null
  readonly interruptions: readonly Interruption[]
  /** Which priority counted from when on, the oldest first. */
  readonly priorities: readonly { readonly from: number; readonly priority: Priority }[]
}

/** By which days and hours an order counts. */
export interface OrderTime {
  readonly timeZone: string
  readonly calendar: Pick<ProjectCalendar, 'classOf'>
}

export interface SlaReading {
  readonly usedMs: number
  readonly allowedMs: number
  /** From 80 % on it is near. */
  readonly mark: 'onTime' | 'near' | 'over'
}

export const emptyClock = (priority: Priority, at: number): OrderClock => ({
  ...{ respondFrom: null, takenAt: null, resolveFrom: null, interruptions: [] },
  priorities: [{ from: at, priority }],
})

/** Nobody has it: nothing runs. */
export const noClock = (clock: OrderClock): OrderClock => ({
  ...clock,
  ...{ respondFrom: null, takenAt: null, resolveFrom: null, interruptions: [] },
})

export const newRound = (at: number, priority: Priority): OrderClock => ({
  ...{ respondFrom: at, takenAt: null, resolveFrom: at, interruptions: [] },
  priorities: [{ from: at, priority }],
})

/** What has run stays; from now on the time of the new priority counts. */
export const withPriority = (clock: OrderClock, priority: Priority, at: number): OrderClock => ({
  ...clock,
  priorities: [...clock.priorities, { from: at, priority }],
})

export const withInterruption = (clock: OrderClock, interruption: Interruption): OrderClock => ({
  ...clock,
  interruptions: [...clock.interruptions, interruption],
})

/** Whatever stopped the clock is over by then. */
export const resumedAt = (clock: OrderClock, at: number): OrderClock => ({
  ...clock,
  interruptions: clock.interruptions.map((each) =>
    each.until === null || each.until > at ? { ...each, until: Math.max(at, each.from) } : each,
  ),
})

/** The pause that the clock is in; undefined: it is in none. */
export const pauseAt = ({ interruptions }: OrderClock, now: number): Interruption | undefined =>
  interruptions.find(({ from, until, processed }) => !processed && from <= now && until !== null && now < until)

export const isPaused = (clock: OrderClock, now: number): boolean => pauseAt(clock, now) !== undefined

/** How long pauses of this round last, as they are planned. */
export const pausedMs = ({ interruptions }: OrderClock): number =>
  interruptions.reduce((sum, { from, until, processed }) => sum + (processed || until === null ? 0 : until - from), 0)

/** How an order keeps its time; null: nobody has it. */
export function slaClock(
  clock: OrderClock,
  time: OrderTime,
  now: number,
): { readonly respond: SlaReading; readonly resolve: SlaReading } | null {
  if (clock.respondFrom === null || clock.resolveFrom === null) return null
  const target = targetAt(clock, now)
  // What waits for its approver for years is not walked through day by day: nothing of that counts.
  const stoppedAt = Math.min(now, ...clock.interruptions.flatMap(({ from, until }) => (until === null ? from : [])))
  const respondedAt = Math.min(clock.takenAt ?? now, now)
  return {
    respond: readingOf(countedMs(clock, time, clock.respondFrom, respondedAt), target.respondMs),
    resolve: readingOf(countedMs(clock, time, clock.resolveFrom, stoppedAt), target.resolveMs),
  }
}

const readingOf = (usedMs: number, allowedMs: number): SlaReading => ({
  ...{ usedMs, allowedMs },
  mark: usedMs >= allowedMs ? 'over' : usedMs * 10 >= allowedMs * 8 ? 'near' : 'onTime',
})

/** So far ahead it is looked for: a calendar may have no workday at all. */
const horizonDays = 400

/** When it will have taken longer than it may, if nothing happens to it; `now` where it has already. Null: the clock stands. */
export function overdueAt(clock: OrderClock, time: OrderTime, now: number): number | null {
  const reading = slaClock(clock, time, now)?.resolve
  if (!reading) return null
  let left = reading.allowedMs - reading.usedMs
  if (left <= 0) return now
  for (const [from, until] of countedStretches(clock, time, now, now + horizonDays * dayMs)) {
    if (until - from >= left) return from + left
    left -= until - from
  }
  return null
}

function countedMs(clock: OrderClock, time: OrderTime, from: number, until: number): number {
  let sum = 0
  for (const [begin, end] of countedStretches(clock, time, from, until)) sum += end - begin
  return sum
}

type Stretch = readonly [from: number, until: number]

/** What counts between two instants, in order: the time of the priority of then, without what is interrupted. */
function* countedStretches(clock: OrderClock, time: OrderTime, from: number, until: number): Generator<Stretch> {
  const stops = clock.interruptions
    .map((each): Stretch => [each.from, each.until ?? Number.POSITIVE_INFINITY])
    .toSorted(([a], [b]) => a - b)
  for (const [index, { from: begin, priority }] of clock.priorities.entries()) {
    // What lies before the first counts as the first does.
    const span: Stretch = [
      index === 0 ? from : Math.max(from, begin),
      Math.min(until, clock.priorities[index + 1]?.from ?? until),
    ]
    for (const stretch of timeOf(slaTargets[priority].counts, time, span)) yield* without(stretch, stops)
  }
}

function* timeOf(counts: SlaTarget['counts'], time: OrderTime, [from, until]: Stretch): Generator<Stretch> {
  if (from >= until) return
  if (counts === 'always') {
    yield [from, until]
    return
  }
  const zone = civilZone(time.timeZone)
  for (let day = zone.dayAt(from) - 1; day <= zone.dayAt(until) + 1; day++) {
    if (time.calendar.classOf(day).class !== 'workday') continue
    const begin = zone.resolve(day, workingHours.fromHour * 3_600)?.at
    const end = zone.resolve(day, workingHours.toHour * 3_600)?.at
    if (begin === undefined || end === undefined) continue
    const [first, last] = [Math.max(begin, from), Math.min(end, until)]
    if (first < last) yield [first, last]
  }
}

function* without([from, until]: Stretch, stops: readonly Stretch[]): Generator<Stretch> {
  let begin = from
  for (const [stop, go] of stops) {
    if (go <= begin || stop >= until) continue
    if (stop > begin) yield [begin, stop]
    begin = Math.max(begin, go)
  }
  if (begin < until) yield [begin, until]
}

const targetAt = ({ priorities }: OrderClock, now: number): SlaTarget => {
  const last = priorities.findLast(({ from }) => from <= now) ?? priorities[0]
  return slaTargets[last?.priority ?? 'medium']
}
