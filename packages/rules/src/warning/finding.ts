import type { TimeToLimit } from './time-to-limit.ts'

/** What a finding asks for, the mildest first; a graver level raises the same event's priority. */
export const warningLevels = ['notice', 'warning', 'alarm'] as const
export type WarningLevel = (typeof warningLevels)[number]

/** What a person is shown as the proof of a finding; null: this detector has none. */
export interface Evidence {
  readonly value: number
  /** That the value was compared with; of a course that is followed ahead, that which it will reach. */
  readonly limit: number
  readonly unit: string
  readonly baseline: number | null
  readonly spread: number | null
  /** Per day. */
  readonly slope: number | null
  readonly toLimit: TimeToLimit | null
  /** The next limit, of which `toLimit` speaks; null: it speaks of `limit`. */
  readonly nextLimit: number | null
  /** What it was made of: days, hours, tests or samples, as its detector counts. */
  readonly used: number
  /** Local hours of the day it speaks of, in order; only of what is about single hours. */
  readonly hours?: readonly number[]
}

export interface Finding {
  readonly key: string
  /** The point it is about; null: the line. */
  readonly point: string | null
  readonly level: WarningLevel
  readonly evidence: Evidence
}

/** Why nothing can be said. It is an outcome of its own: not evaluated is not sound. */
export const notEvaluatedReasons = [
  'learning',
  'open',
  'tagged',
  'inspected',
  'coverage',
  'tooFewDays',
  'tooFewTests',
  'lowLoad',
  'constantLoad',
  'settingUnknown',
  'notMeasured',
] as const
export type NotEvaluatedReason = (typeof notEvaluatedReasons)[number]

export interface NotEvaluated {
  readonly notEvaluated: NotEvaluatedReason
  /** How much there is of what is needed, in the unit of the reason. */
  readonly have: number | null
  readonly need: number | null
}

/** What a detector says: something is wrong, nothing can be said, or null: sound as far as it sees. */
export type Outcome = Finding | NotEvaluated | null

export const isFinding = (outcome: Outcome): outcome is Finding => outcome !== null && 'level' in outcome
export const isNotEvaluated = (outcome: object | null): outcome is NotEvaluated => outcome !== null && 'notEvaluated' in outcome

export const notEvaluated = (
  reason: NotEvaluatedReason,
  have: number | null = null,
  need: number | null = null,
): NotEvaluated => ({
  notEvaluated: reason,
  have,
  need,
})

/** Evidence of which only some figures apply. */
export const evidence = (given: Pick<Evidence, 'value' | 'limit' | 'unit' | 'used'> & Partial<Evidence>): Evidence => ({
  baseline: null,
  spread: null,
  slope: null,
  toLimit: null,
  nextLimit: null,
  ...given,
})

/** The gravest level whose limit the value reaches; null: none. */
export const levelAt = (value: number, limits: Readonly<Partial<Record<WarningLevel, number>>>): WarningLevel | null =>
  warningLevels.findLast((level) => value >= (limits[level] ?? Number.POSITIVE_INFINITY)) ?? null
