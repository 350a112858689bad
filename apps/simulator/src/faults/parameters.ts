import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'

/** What can be said of a fault beside its name. Each has a default, so that a name alone is a whole fault. */
export type Parameter =
  | { readonly figure: number; readonly unit: string; readonly min: number; readonly max: number }
  /** A duration as it is written: `90s`, `60d`. */
  | { readonly time: string }
  /** The first is the default. */
  | { readonly oneOf: readonly [string, ...string[]] }
  /** A name that the fault itself checks. */
  | { readonly word: string }

export type Parameters = Readonly<Record<string, Parameter>>
/** As people write it. */
export type Given = Readonly<Record<string, string | number>>
/** Figures in their unit, durations in ms, words as they are. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends { readonly oneOf: readonly (infer Word)[] }
    ? Word
    : P[K] extends { readonly word: string }
      ? string
      : number
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
}

/** A duration in ms; null when it is none: a figure and its unit, or 0. */
export function durationOf(value: unknown): number | null {
  if (value === 0 || value === '0') return 0
  const found = typeof value === 'string' ? /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d|w)$/.exec(value.trim()) : null
  const [, figure, unit = ''] = found ?? []
  return figure === undefined ? null : Number(figure) * (units[unit] ?? 1)
}

/** Reads what was given for a fault, and takes the defaults for the rest. Throws one readable line for the first that cannot be used. */
export function readParameters<P extends Parameters>(fault: string, parameters: P, given: Given): Values<P> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined) {
    const known = Object.keys(parameters).join(', ')
    throw new Error(`${fault} has no ${unknown}; ${known === '' ? 'nothing can be said of it' : `it has ${known}`}`)
  }
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, valueFrom(`${fault}: ${name}`, parameter, given[name])]),
  ) as Values<P>
}

function valueFrom(what: string, parameter: Parameter, given: string | number | undefined): number | string {
  if ('word' in parameter) return given === undefined ? parameter.word : String(given)
  if ('oneOf' in parameter) {
    const word = given ?? parameter.oneOf[0]
    if (!parameter.oneOf.includes(String(word))) throw new Error(`${what} must be one of ${parameter.oneOf.join(', ')}`)
    return String(word)
  }
  if ('time' in parameter) {
    const ms = durationOf(given ?? parameter.time)
    if (ms === null) throw new Error(`${what}: ${given} is no time; write 30s, 2m, 1h, 5d or 2w`)
    return ms
  }
  const { figure, min, max, unit } = parameter
  const value = given === undefined ? figure : given === '' ? Number.NaN : Number(given)
  if (!(value >= min && value <= max)) throw new Error(`${what} must be ${min} to ${max}${unit === '' ? '' : ` ${unit}`}`)
  return value
}

/** As they are shown: each with its default. */
export const describeParameters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, each]) => `${name}=${defaultOf(each)}`)
    .join(' ')

const defaultOf = (each: Parameter): string =>
  'figure' in each ? String(each.figure) : 'time' in each ? each.time : 'oneOf' in each ? each.oneOf.join('|') : each.word
