import type { MeterSpan, RegisterReading } from './register.ts'

/** A meter of a line as it was entered. The meters of a line have all of its time, the first from `-Infinity` on, or there are none. */
export interface Meter extends MeterSpan {
  readonly serial: string
  /** Its class, per cent. */
  readonly accuracyPercent: number
}

export const maxMultiplier = 100_000
/** Places of a multiplier: 0.3333 mends a meter that shows three times too much. */
export const multiplierPlaces = 4
export const maxAccuracyPercent = 10
export const maxRegisterKwh = 1_000_000_000
export const maxMetersOfLine = 50
/** Of a line of which nobody entered a meter. */
export const usualAccuracyPercent = 1

/** What a line has as long as nobody enters a meter: what is reported is what was used. */
export const plainMeter: Meter = {
  ...{ from: Number.NEGATIVE_INFINITY, to: null, serial: '', multiplier: 1, accuracyPercent: usualAccuracyPercent },
  ...{ registerMaxKwh: null, startRegisterKwh: null, endRegisterKwh: null },
}

export type MeterProblem =
  | { readonly problem: 'multiplierWrong' | 'noEnd' }
  /** Below what was read already. */
  | { readonly problem: 'maxTooLow'; readonly last: RegisterReading }
  /** Doubtful, and stored where somebody says that it is so: the last reading of a meter, and the first. */
  | { readonly problem: 'endBelow'; readonly last: RegisterReading }
  | { readonly problem: 'startAbove'; readonly first: RegisterReading }

/** Whether it is stored where somebody says that it is so. */
export const isDoubt = ({ problem }: MeterProblem): boolean => problem === 'endBelow' || problem === 'startAbove'

/** What of a meter somebody types. */
export type TypedMeter = Omit<Meter, 'from' | 'to'>

/** Another meter from an instant on; the one before ends with what was read off it. Null: an instant at which one begins already. */
export function replacedAt(
  meters: readonly Meter[],
  at: number,
  { endRegisterKwh, next }: { readonly endRegisterKwh: number | null; readonly next: TypedMeter },
): readonly Meter[] | null {
  const all = meters.length === 0 ? [plainMeter] : meters
  const place = all.findIndex(({ from, to }) => from < at && (to === null || at < to))
  const former = all[place]
  if (!former) return null
  const ended: Meter = { ...former, to: at, endRegisterKwh }
  // What was read off at the end of the time that it now has is of the new one.
  const begun: Meter = { ...next, from: at, to: former.to, endRegisterKwh: former.endRegisterKwh }
  return [...all.slice(0, place), ended, begun, ...all.slice(place + 1)]
}

/** One of the meters written anew, from `from` on; the one before it ends there. Null: beyond the meters beside it. */
export function correctedAt(meters: readonly Meter[], place: number, next: TypedMeter, from: number): readonly Meter[] | null {
  const [former, own] = [meters[place - 1], meters[place]]
  if (!own) return null
  if (former ? from <= former.from : from !== own.from) return null
  if (own.to !== null && from >= own.to) return null
  return meters.map((meter, index) => {
    if (index === place) return { ...next, from, to: own.to }
    return index === place - 1 ? { ...meter, to: from } : meter
  })
}

/** The meters without one of them, whose time goes to the one before it; null: the first, or none. Of one that alone is left nothing is entered. */
export function withoutMeter(meters: readonly Meter[], place: number): readonly Meter[] | null {
  const [former, own] = [meters[place - 1], meters[place]]
  if (!own || (!former && meters.length > 1)) return null
  return meters.flatMap((meter, index) => {
    if (index === place) return []
    return index === place - 1 ? [{ ...meter, to: own.to, endRegisterKwh: own.endRegisterKwh }] : [meter]
  })
}

/** The readings at the ends of a meter, and its highest; null: there are none. */
export interface MeterReadings {
  readonly first: RegisterReading | null
  readonly last: RegisterReading | null
  readonly highest: RegisterReading | null
}

/** What is wrong or doubtful with a meter, by what was read of it. */
export function meterProblems(meter: Meter, { first, last, highest }: MeterReadings): readonly MeterProblem[] {
  const { multiplier, registerMaxKwh: max, startRegisterKwh: start, endRegisterKwh: end, to } = meter
  const problems: MeterProblem[] = []
  const inPlaces = Math.abs(multiplier - Number(multiplier.toFixed(multiplierPlaces))) < 1e-9
  if (!(multiplier > 0 && multiplier <= maxMultiplier && inPlaces)) problems.push({ problem: 'multiplierWrong' })
  if (end !== null && to === null) problems.push({ problem: 'noEnd' })
  if (max !== null && highest && max < highest.kwh) problems.push({ problem: 'maxTooLow', last: highest })
  // A register that begins again may end below what it showed.
  if (end !== null && to !== null && last && end < last.kwh && max === null) problems.push({ problem: 'endBelow', last })
  if (start !== null && first && start > first.kwh && max === null) problems.push({ problem: 'startAbove', first })
  return problems
}

const maxPlaces = 9

/**
 * What a meter showed, kWh, by its energy in whole Wh: as few places, at least three and the same for all, as make each again once they are multiplied
 * and rounded to the Wh. So differences of what is printed, times the multiplier, are the energy to the Wh. Null stays null.
 */
export function meterTexts(multiplier: number, energies: readonly (number | null)[]): readonly (string | null)[] {
  const shown = energies.map((wh) => (wh === null ? null : wh / multiplier / 1_000))
  const isExact = (places: number) =>
    energies.every((wh, index) => wh === null || Math.abs(Number(shown[index]?.toFixed(places)) * multiplier * 1_000 - wh) < 0.25)
  let places = 3
  while (places < maxPlaces && !isExact(places)) places += 1
  return shown.map((kwh) => kwh?.toFixed(places) ?? null)
}

/** `[from, to)`, Unix ms; infinite where it has no end. */
export interface MeterChange {
  readonly from: number
  readonly to: number
  /** So many times as much it is now. */
  readonly factor: number
}

/** Where energy is made otherwise by other meters: stretches of another multiplier or register, and instants at which a meter begins or ends. */
export function changedBetween(before: readonly Meter[], after: readonly Meter[]): readonly MeterChange[] {
  const edges = [...new Set([...before, ...after].map(({ from }) => from))].sort((one, other) => one - other)
  const at = (meters: readonly Meter[], instant: number) =>
    meters.find(({ from, to }) => from <= instant && (to === null || instant < to)) ?? plainMeter
  const all = edges.length === 0 || edges[0] !== Number.NEGATIVE_INFINITY ? [Number.NEGATIVE_INFINITY, ...edges] : edges
  const changes: MeterChange[] = []
  for (const [index, from] of all.entries()) {
    const [one, other] = [at(before, from), at(after, from)]
    const to = all[index + 1] ?? Number.POSITIVE_INFINITY
    if (one.multiplier !== other.multiplier || one.registerMaxKwh !== other.registerMaxKwh)
      changes.push({ from, to, factor: other.multiplier / one.multiplier })
    else if (Number.isFinite(from) && edgeOf(before, from) !== edgeOf(after, from))
      changes.push({ from: from - 1, to: from + 1, factor: 1 })
  }
  return changes
}

/** What is read off where one meter ends and another begins; empty: none does. */
function edgeOf(meters: readonly Meter[], at: number): string {
  const [ended, begun] = [meters.find(({ to }) => to === at), meters.find(({ from }) => from === at)]
  return begun ? JSON.stringify([ended?.endRegisterKwh ?? null, begun.startRegisterKwh]) : ''
}
