import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'

/** From which table a stretch of history is read. */
export type HistoryLevel = 'raw' | 'hour' | 'day'

export interface HistoryPlan {
  readonly level: HistoryLevel
  /** 0: samples as they are. */
  readonly bucketMs: number
}

export interface HistoryQuestion {
  readonly from: number
  readonly to: number
  /** Pixels across. */
  readonly width: number
  /** The shortest reporting period of the lines. */
  readonly periodMs: number
  readonly lines: number
}

const secondMs = 1_000

const steps = {
  raw: [1, 2, 5, 10, 15, 30].map((each) => each * secondMs).concat([1, 2, 5, 10, 15, 30].map((each) => each * minuteMs)),
  hour: [1, 2, 3, 6, 12].map((each) => each * hourMs),
  day: [1, 2, 7, 14, 28].map((each) => each * dayMs),
} as const

/** Buckets at most: more cannot be told apart. */
export const maxBuckets = 1_000
/** Samples per point at most, whatever the width: eight points are then 100,000. */
const maxSamples = 12_500
/** Samples a pixel at most; more are one smear, and a band says more. */
const samplesPerPixel = 4
/** Rows that may be read to draw one picture; beyond, hours must do. */
const maxRowsRead = 1_200_000
/** A day bucket is a fifth of a finger wide at least: below that many days, hours say more. */
const minDays = 300

/** How many samples of one point may be sent as they are. */
export const samplesAllowed = (width: number): number => Math.min(maxSamples, Math.max(500, width * samplesPerPixel))

/** Where to read measured values from: samples while they are few, else the finest buckets that the width can show. */
export function planMeasures(question: HistoryQuestion): HistoryPlan {
  const { from, to, width, periodMs } = question
  if ((to - from) / periodMs <= samplesAllowed(width)) return { level: 'raw', bucketMs: 0 }
  return planBuckets(question, Math.min(width, maxBuckets))
}

/** The same in buckets: also when the samples turned out to be too many. */
export function planBuckets({ from, to, periodMs, lines }: HistoryQuestion, buckets: number): HistoryPlan {
  const span = to - from
  const wanted = span / Math.max(50, Math.min(buckets, maxBuckets))
  const rows = (span / periodMs) * lines
  const fromRaw =
    rows > maxRowsRead && span >= dayMs ? undefined : steps.raw.find((each) => each >= wanted && each <= 10 * minuteMs)
  if (fromRaw !== undefined) return { level: 'raw', bucketMs: fromRaw }
  const fromHours = steps.hour.find((each) => each >= wanted)
  if (fromHours !== undefined && span < minDays * dayMs) return { level: 'hour', bucketMs: fromHours }
  return { level: 'day', bucketMs: steps.day.find((each) => each >= wanted) ?? Math.ceil(wanted / dayMs) * dayMs }
}

/** Bars of energy at most: each must be wide enough to be read. */
const maxBars = 400

/** Where to read the use of a counter from: always whole buckets, because a counter cannot be averaged. */
export const planUse = (question: HistoryQuestion): HistoryPlan => {
  const plan = planBuckets(question, Math.min(maxBars, question.width / 3))
  return plan.level === 'raw' && plan.bucketMs < minuteMs ? { level: 'raw', bucketMs: minuteMs } : plan
}
