/** How many reporting periods without a usable value make a condition unknown, and what gap a duration bridges. */
export const bridgedPeriods = 3

export const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const
export type Comparison = (typeof comparisons)[number]

export const conditionKinds = ['point', 'state', 'alarm', 'link'] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** One condition of a linkage. A state, an alarm and a link are compared by the number of their value. */
export interface LinkageCondition {
  readonly kind: ConditionKind
  readonly line: string
  readonly key: string
  readonly op: Comparison
  readonly value: number
  /** So far beyond the value, the other way, a numeric condition must come before it can be met again. */
  readonly release: number
  readonly forS: number
  /** Reporting period of its equipment. */
  readonly periodMs: number
  /** It tells of fire, gas, arc or leakage: where one condition is enough it fires by itself, whatever the others are. */
  readonly isDanger?: boolean
}

export type Truth = boolean | 'unknown'

/**
 * The values of one message, which are one picture: a linkage does not fire on half of it. `old`: live, but measured some time before it came;
 * `historical`: back-filled, and so nothing of now; `clockOff`: by a clock that cannot be believed.
 */
export interface LinkagePicture {
  readonly at: number
  readonly mark: 'live' | 'old' | 'historical' | 'clockOff'
  readonly values: readonly { readonly line: string; readonly key: string; readonly value: number | null }[]
}

/** Kleene: of all, one that is not met decides; of any, one that is met. What cannot be known decides nothing. */
export function combine(match: 'all' | 'any', truths: readonly Truth[]): Truth {
  const decides = match === 'any'
  if (truths.some((each) => each === decides)) return decides
  return truths.some((each) => each === 'unknown') ? 'unknown' : !decides
}

/** Whether a value meets a condition that was met before or not: what is met stays so until it has come back by the release. */
export function meets(
  { op, value, release }: Pick<LinkageCondition, 'op' | 'value' | 'release'>,
  was: boolean,
  reading: number,
): boolean {
  const back = was ? release : 0
  switch (op) {
    case '>':
      return reading > value - back
    case '>=':
      return was ? reading > value - back || (release === 0 && reading === value) : reading >= value
    case '<':
      return reading < value + back
    case '<=':
      return was ? reading < value + back || (release === 0 && reading === value) : reading <= value
    case '=':
      return reading === value
    case '!=':
      return reading !== value
  }
}

/** The release that a form proposes: 5 % of the value, at least two steps of the point. */
export const defaultRelease = (value: number, precision: number): number => Math.max(Math.abs(value) * 0.05, 2 / 10 ** precision)
