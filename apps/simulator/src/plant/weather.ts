import { dayMs, hourMs } from '@linewarden/equipment'

/** The weather that all of a fleet stands in: as a function of time alone, so that its past and its present have the same. */
export interface Weather {
  /** How much warmer it is outside than usual at this hour, in kelvin. */
  readonly warmerK: number
  /** How much damper the air is than usual: -1 dry, 1 before rain. */
  readonly damper: number
}

const chinaOffsetMs = 8 * hourMs

let [at, weather]: [number, Weather] = [Number.NaN, { warmerK: 0, damper: 0 }]

/** The same for every line of a step. */
export function weatherAt(now: number): Weather {
  if (now !== at) [at, weather] = [now, weatherOf(now)]
  return weather
}

/** Highs and lows come and go within days, never in step with one another; the air is dampest before dawn. */
function weatherOf(now: number): Weather {
  const days = now / dayMs
  const warmerK = 3 * Math.sin(days / 1.31 + 1.7) + 2 * Math.sin(days / 0.53 + 0.4) + 1.5 * Math.sin(days / 4.7)
  const fronts = 0.45 * Math.sin(days / 0.83) + 0.25 * Math.sin(days / 0.37 + 2.1) - 0.05 * warmerK
  const hour = ((now + chinaOffsetMs) / hourMs) % 24
  return { warmerK, damper: Math.max(-1, Math.min(1, fronts + 0.2 * Math.cos(((hour - 5) / 12) * Math.PI))) }
}
