import type { DayClass } from './calendar.ts'

/** What a point of a timer does: `run` runs its scene, `test` the self-test of its lines. */
export const timerActions = ['trip', 'close', 'run', 'test'] as const
export type TimerAction = (typeof timerActions)[number]

/** What a timer is for, and what its points may do then. */
export const timerFunctions = { switch: ['trip', 'close'], scene: ['run'], selfTest: ['test'] } as const satisfies Record<
  string,
  readonly TimerAction[]
>
export type TimerFunction = keyof typeof timerFunctions

export interface SunPoint {
  readonly sun: 'rise' | 'set'
  readonly offsetMin: number
}

/** One time of the day at which a timer acts. */
export interface TimerPoint {
  readonly pointNo: number
  /** `HH:MM[:SS]` on the wall clock of the project, or by the sun. */
  readonly at: string | SunPoint
  readonly action: TimerAction
}

/** On which dates a timer acts. Days of the week as bits, 0 Monday to 6 Sunday; of the month, -1 is the last one. */
export type Period = (
  | { readonly type: 'once'; readonly date: string }
  | { readonly type: 'weekly' | 'sun'; readonly days: number }
  | { readonly type: 'calendar'; readonly classes: readonly DayClass[] }
  | { readonly type: 'monthly'; readonly days: readonly number[] }
) & {
  /** First and last date of the timer, exceptions included; null: no bound. */
  readonly fromDate: string | null
  readonly toDate: string | null
}

export const timerTypes = ['once', 'weekly', 'calendar', 'monthly', 'sun'] as const satisfies readonly Period['type'][]

/** Dates on which a timer does nothing, or something of their own. */
export interface TimerException {
  readonly fromDate: string
  readonly toDate: string
  readonly points: 'none' | readonly TimerPoint[]
}

/** A person's word that the next runs are left out; both Unix ms. What was due before `since` is not touched by it. */
export interface SkipNext {
  readonly since: number
  readonly until: number
}

export const isSkipped = (skipNext: SkipNext | null, at: number): boolean =>
  skipNext !== null && at > skipNext.since && at <= skipNext.until

/** When a timer acts, and with what. */
export interface Schedule {
  readonly period: Period
  readonly points: readonly TimerPoint[]
  /** The first that contains a date is the one of that date. */
  readonly exceptions: readonly TimerException[]
  /** What is due after somebody said so and up to this instant is skipped; null: nothing. */
  readonly skipNext: SkipNext | null
}
