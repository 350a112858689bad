/** When a daily look is made, in local days since 1970. */
export interface LookTime {
  /** The day that is evaluated. */
  readonly day: number
  /** The newest that was evaluated of the line before; null: none was. */
  readonly evaluatedBefore: number | null
  /** The newest that has ended by now. */
  readonly finished: number
}

/**
 * Whether a look calls for somebody by what it finds. One on a day that was evaluated before came late; one on a day with another after it that
 * has ended makes up for an absence: what it finds may be over by now, and the look on the last day calls if it is not.
 */
export const callsByLook = ({ day, evaluatedBefore, finished }: LookTime): boolean =>
  day >= finished && (evaluatedBefore === null || day > evaluatedBefore)
