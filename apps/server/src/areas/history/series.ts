import type { HistorySeries } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import { COUNTER_SLOT } from '@linewarden/equipment'
import type { HistoryPlan, Stretch } from '@linewarden/rules/history'
import { gapsOf, maxBuckets, planBuckets, planMeasures, planUse, runsOf, samplesAllowed } from '@linewarden/rules/history'
import { Quality } from '@linewarden/rules/monitor'
import type { PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import { readDays, readHours } from '../../store/history/rolled.ts'
import type { BucketRow, SampleRow, WantedLine } from '../../store/history/rows.ts'
import { readSampleBuckets, readSamples } from '../../store/history/samples.ts'
import { quarterUse, risenUse, stillMadeMs } from './use.ts'

/** One point of one line. */
export interface Subject {
  readonly line: PlantLine
  readonly point: Point
}

export interface Asked {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly now: number
}

/** The series of the subjects, in their order: measured values by one plan, counters by another. */
export async function readSeries(read: ReadLines, subjects: readonly Subject[], asked: Asked): Promise<HistorySeries[]> {
  const counters = subjects.filter(isCounter)
  const measured = subjects.filter((each) => !isCounter(each))
  const made = new Map<Subject, HistorySeries>()
  const work = [
    measured.length > 0 && read((database) => measuredSeries(database, measured, asked)),
    counters.length > 0 && read((database) => useSeries(database, counters, asked, usePlan(counters, measured, asked))),
  ]
  for (const part of await Promise.all(work)) if (part) for (const [subject, series] of part) made.set(subject, series)
  return subjects.flatMap((each) => made.get(each) ?? [])
}

export const isCounter = ({ point }: Subject): boolean => point.slot === COUNTER_SLOT

export const wantedLines = (subjects: readonly Subject[]): WantedLine[] =>
  [...new Set(subjects.map(({ line }) => line))].map((line) => ({
    lineId: line.id,
    timeZone: line.device.gateway.project.timeZone,
  }))

async function measuredSeries(
  database: Database,
  subjects: readonly Subject[],
  asked: Asked,
): Promise<Map<Subject, HistorySeries>> {
  const lines = wantedLines(subjects)
  const slots = [...new Set(subjects.map(({ point }) => point.slot))]
  const question = questionOf(subjects, asked)
  let plan = planMeasures(question)
  if (plan.bucketMs === 0) {
    const samples = await readSamples(database, lines, asked, slots, samplesAllowed(asked.width))
    if (samples) {
      return new Map(subjects.map((each) => [each, sampleSeries(each, slots.indexOf(each.point.slot), samples, asked)]))
    }
    // The equipment reports more often than it says.
    plan = planBuckets(question, Math.min(asked.width, maxBuckets))
  }
  const { bucketMs } = plan
  const rows =
    plan.level === 'raw'
      ? await readSampleBuckets(database, lines, asked, slots, bucketMs)
      : await (plan.level === 'hour' ? readHours : readDays)(database, { lines, range: asked, slots, use: false, bucketMs })
  return new Map(subjects.map((each) => [each, bucketSeries(each, slots.indexOf(each.point.slot), plan, rows, asked)]))
}

/** Beside measured values in buckets of a minute or more, use comes in the same buckets: one row of figures then has both. */
function usePlan(counters: readonly Subject[], measured: readonly Subject[], asked: Asked): HistoryPlan {
  const beside = measured.length > 0 ? planMeasures(questionOf(measured, asked)) : null
  return beside && beside.bucketMs >= 60_000 ? beside : planUse(questionOf(counters, asked))
}

async function useSeries(
  database: Database,
  subjects: readonly Subject[],
  asked: Asked,
  plan: HistoryPlan,
): Promise<Map<Subject, HistorySeries>> {
  const { level, bucketMs } = plan
  const rows = await (level === 'raw' ? risenUse : quarterUse)(database, wantedLines(subjects), asked, bucketMs)
  // What ended lately is still to be made into quarters: that is no gap.
  const known = level === 'raw' ? asked : { ...asked, now: asked.now - stillMadeMs }
  return new Map(subjects.map((each) => [each, bucketSeries(each, 0, plan, rows, known)]))
}

const periodOf = ({ line }: Subject): number => Math.max(1, line.device.gateway.reportingPeriodMs)

const questionOf = (subjects: readonly Subject[], { from, to, width }: Asked) => ({
  from,
  to,
  width,
  periodMs: Math.min(...subjects.map(periodOf)),
  lines: new Set(subjects.map(({ line }) => line)).size,
})

/** Nothing can have been reported in the future: that is no gap. */
const upToNow = (subject: Subject, { from, to, now }: Asked) => ({
  from,
  to: Math.max(from, Math.min(to, now)),
  periodMs: periodOf(subject),
})

function sampleSeries(
  subject: Subject,
  index: number,
  samples: ReadonlyMap<number, readonly SampleRow[]>,
  asked: Asked,
): HistorySeries {
  // A message that did not speak of this point says nothing about it: no sample, and no gap by itself.
  const rows = (samples.get(subject.line.id) ?? []).filter(({ values }) => values[index] != null)
  const at = rows.map((row) => row.at)
  const gaps = gapsOf(
    at.map((each): Stretch => [each, each]),
    upToNow(subject, asked),
  )
  const series = {
    ...namesOf(subject),
    Level: 'raw' as const,
    BucketMs: 0,
    At: at,
    Value: rows.map(({ values }) => values[index] ?? null),
    Min: [],
    Max: [],
    ...marksOf(rows, at, 0),
  }
  return withGaps(rounded(series, subject.point.precision), gaps)
}

function bucketSeries(
  subject: Subject,
  index: number,
  { level, bucketMs }: HistoryPlan,
  buckets: ReadonlyMap<number, readonly BucketRow[]>,
  asked: Asked,
): HistorySeries {
  const rows = (buckets.get(subject.line.id) ?? []).filter(({ values }) => values[index]?.mean != null)
  const at = rows.map((row) => row.at)
  const gaps = gapsOf(
    rows.map(({ first, last }): Stretch => [first, last]),
    upToNow(subject, asked),
  )
  const counter = isCounter(subject)
  const series = {
    ...namesOf(subject),
    Level: level,
    BucketMs: bucketMs,
    At: at,
    Value: rows.map(({ values }) => values[index]?.mean ?? null),
    Min: counter ? [] : rows.map(({ values }) => values[index]?.min ?? null),
    Max: counter ? [] : rows.map(({ values }) => values[index]?.max ?? null),
    ...marksOf(rows, at, bucketMs),
  }
  return withGaps(rounded(series, subject.point.precision + 2), gaps)
}

const namesOf = ({ line, point }: Subject) => ({ LineID: line.id, Point: point.key })

const marksOf = (rows: readonly { readonly quality: number }[], at: readonly number[], widthMs: number) => ({
  Late: runsOf(at, (i) => ((rows[i]?.quality ?? 0) & Quality.historical) !== 0, widthMs).map(pair),
  ClockOff: runsOf(at, (i) => ((rows[i]?.quality ?? 0) & Quality.clock) !== 0, widthMs).map(pair),
})

const pair = ([from, to]: Stretch): [number, number] => [from, to]

/** Single precision has seven digits; the rest is noise that would triple the answer. */
function rounded<S extends Pick<HistorySeries, 'Value' | 'Min' | 'Max'>>(series: S, decimals: number): S {
  const factor = 10 ** decimals
  const round = (value: number | null) => (value === null ? null : Math.round(value * factor) / factor)
  return { ...series, Value: series.Value.map(round), Min: series.Min.map(round), Max: series.Max.map(round) }
}

/** A null value where a gap begins, so that whoever draws a line breaks it. */
function withGaps(series: Omit<HistorySeries, 'Gaps'>, gaps: readonly Stretch[]): HistorySeries {
  const { At, Value, Min, Max } = series
  const made = { At: [] as number[], Value: [] as (number | null)[], Min: [] as (number | null)[], Max: [] as (number | null)[] }
  let next = 0
  for (const [index, at] of At.entries()) {
    for (let gap = gaps[next]; gap !== undefined && gap[0] < at; gap = gaps[++next]) {
      // A sample's own moment has its value.
      if (index > 0) push(Math.max(gap[0], (At[index - 1] ?? 0) + 1), null, null, null)
    }
    push(at, Value[index] ?? null, Min[index] ?? null, Max[index] ?? null)
  }
  return { ...series, ...made, Gaps: gaps.map(pair) }

  function push(at: number, value: number | null, min: number | null, max: number | null): void {
    made.At.push(at)
    made.Value.push(value)
    if (Min.length === 0) return
    made.Min.push(min)
    made.Max.push(max)
  }
}
