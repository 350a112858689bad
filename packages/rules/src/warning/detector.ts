import type { Priority, Text } from '@linewarden/equipment'

/** A figure of a detector that people can set. */
export interface WarningParameter {
  readonly label: Text
  readonly unit: string
  readonly default: number
  readonly min: number
  readonly max: number
  /** The standard or measurement that the default comes from; a default of ours says so. */
  readonly source: string
}

/** How a detector is declared: everything about it that people see and set. What it decides is the function beside it. */
export interface WarningDetector<Name extends string = string> {
  readonly key: string
  readonly label: Text
  readonly priority: Priority
  /** Daily looks that must agree before a finding is raised; of one that folds samples, 1. */
  readonly looks: 1 | 2
  readonly parameters: Readonly<Record<Name, WarningParameter>>
}

/** The figures that a detector is asked with. */
export type Params<Of extends WarningDetector> = Readonly<Record<keyof Of['parameters'], number>>

/** Declares a detector; identity at run time, it only pins the names of its parameters. */
export const detector = <Name extends string>(declaration: WarningDetector<Name>): WarningDetector<Name> => declaration

/** A parameter, with its range. */
export const parameter = (
  zh: string,
  en: string,
  unit: string,
  [min, usual, max]: readonly [min: number, usual: number, max: number],
  source: string,
): WarningParameter => ({ label: { zh, en }, unit, default: usual, min, max, source })

/** The figures of a detector that nobody has changed. */
export const defaultParams = <Of extends WarningDetector>(declaration: Of): Params<Of> =>
  Object.fromEntries(Object.entries(declaration.parameters).map(([name, each]) => [name, each.default])) as Params<Of>

/** A figure that a rule may not have, and the range it must lie in; null: the detector knows no such figure. */
export interface ParameterRefusal {
  readonly field: string
  readonly from: number | null
  readonly to: number | null
}

/** What is wrong with the figures of a rule, all of it at once. */
export const parameterRefusals = (
  { parameters }: WarningDetector,
  given: Readonly<Record<string, number>>,
): readonly ParameterRefusal[] =>
  Object.entries(given).flatMap(([field, value]) => {
    const known = Object.hasOwn(parameters, field) ? parameters[field] : undefined
    if (known && value >= known.min && value <= known.max) return []
    return [{ field, from: known?.min ?? null, to: known?.max ?? null }]
  })
