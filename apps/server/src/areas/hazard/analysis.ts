import type { Analysis } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dayMs, hourMs } from '@linewarden/equipment'
import {
  availabilityOf,
  floodMs,
  floodsOf,
  floodVerdict,
  hoursOfWeek,
  longActiveMs,
  longActiveVerdict,
  maxFrequent,
  meanAvailability,
  mixVerdict,
  quantileOf,
  rateOf,
  rateVerdict,
  responsesOf,
  windowMs,
} from '@linewarden/rules/hazard'
import type { Plant } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { changesOf, ruleChangesOf, sheetChangesOf, tuningChangesOf } from './changes.ts'
import { frequentOf } from './frequent.ts'
import { placeIn } from './place.ts'
import type { AskedDays } from './range.ts'
import { daysBefore, dayText } from './range.ts'
import type { Counts } from './read.ts'
import type { AskedScope } from './scope.ts'

interface Known {
  readonly plant: Plant
  readonly labelOf: (key: string) => Text
  /** Unix ms. */
  readonly now: number
  readonly shelvedEvents: ReadonlyMap<string, EventRow>
}

/** What the counts of a range say. */
export function analysisOf(known: Known, scope: AskedScope, asked: AskedDays, counts: Counts): Analysis {
  const { plant } = known
  const { frequent, former } = counts.counts
  const windows = counts.windows.present.map((row) => ({ ...row, announced: announcedIn(row) }))
  const busy = windows.filter(({ announced }) => announced > 0)
  const days = Array.from({ length: asked.days.to - asked.days.from }, (_, i) => asked.days.from + i)
  const startOf = (day: number) => asked.clock.moment(day * dayMs)
  const availability = availabilityOf(counts.around.reported, days, (day) => (startOf(day + 1) - startOf(day)) / hourMs)
  const longActive = longActiveOn(
    days.filter((day) => startOf(day) <= asked.to),
    plant,
    counts,
  )
  const { raised, folded, bursts, fleeting, unjustified } = frequent.total
  const mix = {
    critical: windows.reduce((all, row) => all + row.critical, 0),
    high: windows.reduce((all, row) => all + row.high, 0),
    medium: windows.reduce((all, row) => all + row.medium, 0),
    low: windows.reduce((all, row) => all + row.low, 0),
  }
  const loud = new Set(frequent.sites.map(({ line_id }) => line_id))
  // Line 0 is the device itself, and counts where there is nothing else.
  const real = scope.lines.filter(({ lineNo }) => lineNo > 0)
  const lines = real.length > 0 ? real : scope.lines
  const quiet = lines.filter(({ id }) => !loud.has(id))
  return {
    TimeZone: asked.timeZone,
    OtherZones: asked.otherZones,
    From: asked.from,
    To: asked.to,
    AsOf: known.now,
    Counting: counts.isCounting,
    Total: {
      Announced: busy.reduce((all, { announced }) => all + announced, 0),
      Raised: raised,
      Folded: folded,
      Bursts: bursts,
      Fleeting: fleeting,
      Unjustified: unjustified,
    },
    Before: former && {
      Announced: (counts.windows.former ?? []).reduce((all, announced) => all + announced, 0),
      Raised: former.raised,
      Folded: former.folded,
      Bursts: former.bursts,
      Fleeting: former.fleeting,
      Unjustified: former.unjustified,
    },
    Days: daysOf(asked, days, counts, { availability, longActive, startOf }),
    ...ratesOf(asked, busy),
    LongActive: longOf(known, counts, longActive),
    Mix: { Counts: mix, Verdict: mixVerdict(mix) },
    Responses: responsesOf(counts.around.ackSeconds).map(({ priority, acknowledged, medianS, p90S, limitS, verdict }) => ({
      Priority: priority,
      Acknowledged: acknowledged,
      MedianS: medianS,
      P90S: p90S,
      LimitS: limitS,
      Verdict: verdict,
    })),
    Frequent: frequentOf(plant, counts.counts, known.labelOf),
    Hours: hoursOfWeek(busy, { ...asked.tens, local: asked.clock.local }).map(({ weekday, hour, announced, hours }) => ({
      Weekday: weekday,
      Hour: hour,
      Announced: announced,
      Hours: hours,
    })),
    ChatterPlaces: frequent.chattered,
    Suppressed: suppressedOf(known, counts),
    Changes: changesOf(plant, counts),
    RuleChanges: ruleChangesOf(plant, counts),
    SheetChanges: sheetChangesOf(plant, known.labelOf, counts),
    TuningChanges: tuningChangesOf(plant, known.labelOf, counts),
    Lines: {
      All: lines.length,
      Availability: meanAvailability(availability),
      Quiet: quiet.length,
      QuietWithReadings: quiet.filter(({ id }) => counts.reading.has(id)).length,
    },
  }
}

const announcedIn = (row: Counts['windows']['present'][number]): number => row.critical + row.high + row.medium + row.low

/** How many alarms were active for more than a day at each midnight of their own clock: those that are over by now, and those that are not. */
function longActiveOn(days: readonly number[], plant: Plant, { counts, around }: Counts) {
  const sinceOf = Map.groupBy(around.active.since, ({ project_id }) => plant.projects.get(project_id)?.timeZone ?? 'UTC')
  const zones = [...sinceOf].map(([zone, rows]) => ({ clock: zoneClock(zone), since: rows.flatMap(({ since }) => since) }))
  return days.map((day) => {
    const still = zones.map(({ clock, since }) => {
      const midnight = clock.moment(day * dayMs)
      return since.filter((at) => midnight - at > longActiveMs).length
    })
    return { day, count: still.reduce((sum, each) => sum + each, counts.overDay.get(day) ?? 0) }
  })
}

function daysOf(
  asked: AskedDays,
  days: readonly number[],
  { windows }: Counts,
  of: {
    readonly availability: ReturnType<typeof availabilityOf>
    readonly longActive: ReturnType<typeof longActiveOn>
    readonly startOf: (day: number) => number
  },
): Analysis['Days'] {
  const present = new Map<number, number>()
  for (const row of windows.present) {
    const day = Math.floor(asked.clock.local(row.ten * windowMs) / dayMs)
    present.set(day, (present.get(day) ?? 0) + announcedIn(row))
  }
  const back = asked.days.from - daysBefore(asked).from
  const long = new Map(of.longActive.map(({ day, count }) => [day, count]))
  return days.map((day, i) => ({
    Day: dayText(day),
    From: of.startOf(day),
    Announced: present.get(day) ?? 0,
    Before: windows.former && (windows.former[i] ?? 0),
    BeforeFrom: of.startOf(day - back),
    Availability: of.availability[i]?.share ?? null,
    LongActive: long.get(day) ?? 0,
  }))
}

function ratesOf({ tens, from, to }: AskedDays, busy: readonly { readonly ten: number; readonly announced: number }[]) {
  const rate = rateOf(busy, tens.to - tens.from)
  const floods = floodsOf(busy)
  const worst = busy.find(({ announced }) => announced === rate.max)
  return {
    Rate: {
      Windows: rate.windows,
      Median: rate.median,
      P95: rate.p95,
      P99: rate.p99,
      Max: rate.max,
      MaxAt: worst ? worst.ten * windowMs : null,
      None: rate.none,
      One: rate.one,
      Few: rate.few,
      Many: rate.many,
      Verdict: rateVerdict(rate),
    },
    Floods: {
      Count: floods.length,
      Ms: floodMs(floods),
      Verdict: floodVerdict(floods, to - from),
      Worst: floods
        .toSorted((a, b) => b.announced - a.announced)
        .slice(0, maxFrequent)
        .map((flood) => ({ From: flood.from, To: flood.to, Announced: flood.announced, Peak: flood.peak })),
    },
  }
}

function longOf({ plant }: Known, { around }: Counts, days: ReturnType<typeof longActiveOn>): Analysis['LongActive'] {
  const numbers = days.map(({ count }) => count)
  const max = days.reduce(
    (most, each) => (each.count > (most?.count ?? 0) ? each : most),
    undefined as (typeof days)[number] | undefined,
  )
  return {
    Verdict: longActiveVerdict(numbers),
    Median: quantileOf(
      numbers.map((each) => [each, 1] as const),
      0.5,
    ),
    Max: numbers.length === 0 ? null : (max?.count ?? 0),
    MaxDay: max ? dayText(max.day) : null,
    DaysMet: numbers.filter((each) => longActiveVerdict([each]) === 'met').length,
    Now: around.active.first.map((row) => eventRecord(row, plant)),
    NowCount: around.active.since.reduce((sum, { since }) => sum + since.length, 0),
  }
}

function suppressedOf({ plant, shelvedEvents }: Known, { around }: Counts): Analysis['Suppressed'] {
  const shelved = around.shelved.flatMap(({ event_id, times, ms, longest_ms }) => {
    const row = shelvedEvents.get(event_id)
    if (!row) return []
    const durations = { Times: times, Ms: Math.round(ms), LongestMs: Math.round(longest_ms) }
    return [{ How: 'shelf' as const, Event: eventRecord(row, plant), ...placeIn(plant, row), ...durations }]
  })
  const tagged = around.tagged.map(({ times, ms, longest_ms, ...ids }) => {
    const durations = { Times: times, Ms: Math.round(ms), LongestMs: Math.round(longest_ms) }
    return { How: 'tag' as const, Event: null, ...placeIn(plant, ids), ...durations }
  })
  return [...shelved, ...tagged].toSorted((a, b) => b.Ms - a.Ms)
}
