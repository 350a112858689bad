import type { Courses } from './courses.ts'
import type { Parameters, Values } from './parameters.ts'

/** One thing that can go wrong, or come right again. It changes the plant; what is then read, reported and raised follows from physics. */
export interface Fault<Target> {
  readonly about: string
  /** The point or state that its family must have: without it the fault could not happen there, and is refused. */
  readonly needs: string | null
  readonly parameters: Parameters
  /** Why it cannot happen as it is given; null: it can. */
  readonly refusal: (target: Target, values: Values<Parameters>) => string | null
  readonly happen: (target: Target, values: Values<Parameters>, courses: Courses) => void
}

/** How faults of one kind of target are written down. */
export const faultOf =
  <Target>() =>
  <P extends Parameters>(
    about: string,
    needs: string | null,
    parameters: P,
    happen: (target: Target, values: Values<P>, courses: Courses) => void,
    refusal: (target: Target, values: Values<P>) => string | null = () => null,
  ): Fault<Target> =>
    // Values are read by these very parameters.
    ({ about, needs, parameters, happen, refusal }) as Fault<Target>

export const phaseIndex = (letter: string): number => ['A', 'B', 'C'].indexOf(letter)
