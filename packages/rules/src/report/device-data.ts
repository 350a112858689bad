import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { CivilClock, Period } from './civil.ts'

/** How finely device data are told: every reading, or by quarter of an hour, hour or day. */
export const deviceDataSteps = ['raw', 'quarter', 'hour', 'day'] as const
export type DeviceDataStep = (typeof deviceDataSteps)[number]
export type SlotStep = Exclude<DeviceDataStep, 'raw'>

/** Lines of one table at most. */
export const maxDeviceDataLines = 200
/** Points of one table at most. */
export const maxDeviceDataPoints = 8
/** Rows of one page at most. */
export const maxDeviceDataRows = 1_000
/** Rows of one file at most. */
export const maxDeviceDataFileRows = 1_000_000
/** The longest period of each step, days. */
export const maxDeviceDataDays: Readonly<Record<DeviceDataStep, number>> = { raw: 31, quarter: 92, hour: 366, day: 3_660 }

/** Whether a period is one, and no longer than its step allows. A day on which clocks are set back has an hour more. */
export const isPeriod = ({ from, to }: Period, step: DeviceDataStep): boolean =>
  to > from && to - from <= maxDeviceDataDays[step] * dayMs + hourMs

/** The finest step, from this one on, that allows so long a period; null: none does. */
export const stepFor = (period: Period, step: DeviceDataStep): DeviceDataStep | null =>
  deviceDataSteps.slice(deviceDataSteps.indexOf(step)).find((each) => isPeriod(period, each)) ?? null

const widthMs = { quarter: 15 * minuteMs, hour: hourMs } as const

/**
 * Where the slots of a period begin that have begun by now, and as the last element where the last of them ends; empty when there is none. A slot
 * is of the period in which it begins. Days are those of the project's clock; hours are those of UTC, as hours are stored; quarters are both.
 */
export function edgesOf(step: SlotStep, { from, to }: Period, clock: CivilClock, now: number): readonly number[] {
  const edges: number[] = []
  const next = step === 'day' ? nextMidnight(clock) : nextMultiple(widthMs[step])
  for (let at = next(from - 1); at < to && at <= now; at = next(at)) edges.push(at)
  const last = edges.at(-1)
  return last === undefined ? [] : [...edges, next(last)]
}

const nextMultiple = (width: number) => (at: number) => (Math.floor(at / width) + 1) * width

/** The first midnight after a moment. A day that a zone skipped has none of its own. */
const nextMidnight = (clock: CivilClock) => (at: number) => {
  let day = Math.floor(clock.local(at) / dayMs) + 1
  let midnight = clock.moment(day * dayMs)
  while (midnight <= at) {
    day += 1
    midnight = clock.moment(day * dayMs)
  }
  return midnight
}

export interface SlotReadings {
  readonly readings: number
  readonly from: number
  readonly to: number
  /** Reporting period of the line; 0: it reports when something changes. */
  readonly periodMs: number
  readonly now: number
}

/** For which share of a slot, as far as it is over, there are readings, in whole percent; null: it is not known how many there should be. */
export function completenessOf({ readings, from, to, periodMs, now }: SlotReadings): number | null {
  const spanMs = Math.min(to, now) - from
  if (periodMs <= 0 || spanMs <= 0) return null
  return Math.min(100, Math.floor((100 * readings * periodMs) / spanMs))
}
