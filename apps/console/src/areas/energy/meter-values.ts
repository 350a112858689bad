import type { Meter, MetersOfLine } from '@linewarden/contract'
import {
  maxAccuracyPercent,
  maxMultiplier,
  maxRegisterKwh,
  multiplierPlaces,
  usualAccuracyPercent,
} from '@linewarden/rules/energy'
import { projectMoment, projectMomentIn } from '../../plant/project-moment.ts'

/** A meter as it is written in the form; figures as typed, empty: not known. */
export interface MeterValues {
  readonly From: string
  readonly Serial: string
  readonly Multiplier: string
  readonly AccuracyPercent: string
  readonly RegisterMaxKwh: string
  readonly StartRegisterKwh: string
  readonly EndRegisterKwh: string
  readonly FormerEndKwh: string
  readonly Reason: string
}

/** What a balance says of a line: it shows so many times what it should. */
export const meterCauses = { double: 2, tenfold: 10, onePhase: 1 / 3 } as const
export type MeterCause = keyof typeof meterCauses

const text = (value: number | null | undefined): string => (value == null ? '' : String(value))

/** The multiplier that mends what a balance says. */
const mended = (multiplier: number, cause: MeterCause | null): number =>
  cause === null ? multiplier : Number((multiplier / meterCauses[cause]).toFixed(multiplierPlaces))

/** A new meter at an instant; transformers mostly stay when a meter is replaced. */
export const replacementStart = (current: Meter | undefined, now: number, timeZone: string): MeterValues => ({
  ...{ From: projectMoment(now, timeZone), Serial: '', Multiplier: String(current?.Multiplier ?? 1) },
  ...{ AccuracyPercent: String(current?.AccuracyPercent ?? usualAccuracyPercent), RegisterMaxKwh: text(current?.RegisterMaxKwh) },
  ...{ StartRegisterKwh: '', EndRegisterKwh: '', FormerEndKwh: '', Reason: '' },
})

export const correctionStart = (
  meter: Meter | null,
  timeZone: string,
  cause: MeterCause | null,
  reason: string,
): MeterValues => ({
  From: meter?.From == null ? '' : projectMoment(meter.From, timeZone),
  ...{ Serial: meter?.Serial ?? '', Multiplier: String(mended(meter?.Multiplier ?? 1, cause)) },
  ...{ AccuracyPercent: String(meter?.AccuracyPercent ?? usualAccuracyPercent), RegisterMaxKwh: text(meter?.RegisterMaxKwh) },
  ...{ StartRegisterKwh: text(meter?.StartRegisterKwh), EndRegisterKwh: text(meter?.EndRegisterKwh) },
  ...{ FormerEndKwh: '', Reason: reason },
})

/** A figure as typed; null: nothing is. NaN: it is no figure, has too many places or is too large. */
export function figureIn(typed: string, places: number, most: number): number | null {
  const plain = typed.trim().replaceAll(',', '')
  if (plain === '') return null
  if (!new RegExp(`^\\d{1,10}(\\.\\d{1,${places}})?$`).test(plain)) return Number.NaN
  return Number(plain) <= most ? Number(plain) : Number.NaN
}

const registerIn = (typed: string) => figureIn(typed, 6, maxRegisterKwh)

export const isMultiplier = (typed: string): boolean => (figureIn(typed, multiplierPlaces, maxMultiplier) ?? 0) > 0
export const isAccuracy = (typed: string): boolean => (figureIn(typed, 3, maxAccuracyPercent) ?? 0) > 0
export const isRegister = (typed: string): boolean => !Number.isNaN(registerIn(typed))
export const isMaximum = (typed: string): boolean => isRegister(typed) && registerIn(typed) !== 0

/** As the server takes it; asked only once nothing is wrong with it. */
export const meterOf = (values: MeterValues, timeZone: string) => ({
  From: values.From.trim() === '' ? null : projectMomentIn(values.From, timeZone),
  ...{ Serial: values.Serial.trim(), Reason: values.Reason.trim(), Multiplier: Number(values.Multiplier.replaceAll(',', '')) },
  ...{ AccuracyPercent: Number(values.AccuracyPercent), RegisterMaxKwh: registerIn(values.RegisterMaxKwh) },
  ...{ StartRegisterKwh: registerIn(values.StartRegisterKwh), EndRegisterKwh: registerIn(values.EndRegisterKwh) },
  FormerEndKwh: registerIn(values.FormerEndKwh),
})

/** Lines whose name or gateway, or a serial number of which, has what is searched for. */
export function linesFound(lines: readonly MetersOfLine[], search: string): readonly MetersOfLine[] {
  const wanted = search.trim().toLowerCase()
  const has = (value: string) => value.toLowerCase().includes(wanted)
  return lines.filter(({ Name, GatewayName, Meters }) => [Name, GatewayName, ...Meters.map(({ Serial }) => Serial)].some(has))
}
