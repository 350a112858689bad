import type { Warning } from '@linewarden/contract'

/** When a finding reaches its limit, as far as that can be told. */
export type Forecast =
  | { readonly kind: 'past' }
  /** With 90 % between `lo` and `hi`, in this unit. */
  | {
      readonly kind: 'interval'
      readonly lo: number
      readonly hi: number
      readonly unit: ForecastUnit
      readonly confidence: Confidence
    }
  /** It rises, and its days are too few to say when. */
  | { readonly kind: 'tooEarly' }
  /** It rises, and the interval is too wide to be of use to anybody. */
  | { readonly kind: 'tooWide' }
  | { readonly kind: 'notRising' }
  /** Of what is counted or happens at once no course is followed. */
  | { readonly kind: 'none' }

type Confidence = NonNullable<Warning['Evidence']['ToLimit']>['Confidence']
export const forecastUnits = ['days', 'weeks', 'months'] as const
export type ForecastUnit = (typeof forecastUnits)[number]

/** Detectors that follow a course: only of these a time can be given, at all or not yet. */
const followed: ReadonlySet<string> = new Set(['contact', 'leakage.drift', 'load.growth', 'release.slow'])

const [daysOfWeek, daysOfMonth] = [7, 30.4]

/** When a finding reaches its limit: an interval with how sure it is, or why there is none; never a day alone. */
export function forecastOf({
  Event,
  Evidence,
  Share,
}: Pick<Warning, 'Evidence' | 'Share'> & { Event: { Key: string } }): Forecast {
  const { ToLimit, Slope, NextLimit } = Evidence
  const isPast = NextLimit === null ? (Share ?? 0) >= 1 : Evidence.Value >= NextLimit
  if (isPast || (ToLimit !== null && ToLimit.Hi <= 0)) return { kind: 'past' }
  if (ToLimit) return { kind: 'interval', ...inUnit(ToLimit.Lo, ToLimit.Hi), confidence: ToLimit.Confidence }
  if (!followed.has(Event.Key)) return { kind: 'none' }
  if (Slope === null) return { kind: 'tooEarly' }
  return { kind: Slope > 0 ? 'tooWide' : 'notRising' }
}

/** Days as they are spoken of: to the day for two months, to the week for half a year. Outward, so that the interval holds what it held. */
function inUnit(lo: number, hi: number): { readonly lo: number; readonly hi: number; readonly unit: ForecastUnit } {
  const [unit, days] =
    hi <= 60 ? (['days', 1] as const) : hi <= 180 ? (['weeks', daysOfWeek] as const) : (['months', daysOfMonth] as const)
  return { lo: Math.floor(lo / days), hi: Math.ceil(hi / days), unit }
}
