import { dayMs, minuteMs } from '@linewarden/equipment'

/** Where a project lies, in degrees; north and east are positive. */
export interface GeoPosition {
  readonly latitude: number
  readonly longitude: number
}

const radians = Math.PI / 180
/** Centre of the sun 50' under the horizon: 34' refraction and 16' radius. */
const zenithOfRise = 90.833
/** Julian centuries are counted from 2000-01-01 12:00 UTC. */
const j2000 = Date.UTC(2000, 0, 1, 12)
const centuryMs = 36_525 * dayMs

/**
 * Sunrise or sunset next to `noon`, the local noon of a date, Unix ms to the second; null where the sun does not rise or set on it.
 * NOAA solar calculator, after Meeus; within a minute below 65 degrees of latitude.
 */
export function sunTime(which: 'rise' | 'set', position: GeoPosition, noon: number): number | null {
  const known = foundOf.get(position) ?? { rise: new Map<number, number | null>(), set: new Map<number, number | null>() }
  foundOf.set(position, known)
  const before = known[which].get(noon)
  if (before !== undefined) return before
  const found = foundTime(which, position, noon)
  known[which].set(noon, found)
  return found
}

/** Timers of a project ask for the same dates; kept for as long as whoever asks has the position. */
const foundOf = new WeakMap<GeoPosition, Readonly<Record<'rise' | 'set', Map<number, number | null>>>>()

function foundTime(which: 'rise' | 'set', { latitude, longitude }: GeoPosition, noon: number): number | null {
  let transit = noon
  for (let round = 0; round < 3; round++) transit = nearestTransit(noon, longitude, transit)
  let at = transit
  for (let round = 0; round < 4; round++) {
    const hourAngle = hourAngleOfRise(latitude, solarPosition(at).declination)
    if (hourAngle === null) return null
    // A degree of hour angle is four minutes.
    const away = hourAngle * 4 * minuteMs
    at = nearestTransit(noon, longitude, at) + (which === 'rise' ? -away : away)
  }
  return Math.round(at / 1_000) * 1_000
}

/** When the sun stands highest, as near to `noon` as it can be, with the equation of time of `at`. */
function nearestTransit(noon: number, longitude: number, at: number): number {
  const ofDay = 720 * minuteMs - longitude * 4 * minuteMs - solarPosition(at).equationMin * minuteMs
  return ofDay + Math.round((noon - ofDay) / dayMs) * dayMs
}

/** Degrees between transit and rise; null when the sun stays above or below the horizon. */
function hourAngleOfRise(latitude: number, declination: number): number | null {
  const [lat, dec] = [latitude * radians, declination * radians]
  const cosine = Math.cos(zenithOfRise * radians) / (Math.cos(lat) * Math.cos(dec)) - Math.tan(lat) * Math.tan(dec)
  return Math.abs(cosine) > 1 ? null : Math.acos(cosine) / radians
}

/** Declination in degrees and equation of time in minutes. */
function solarPosition(at: number): { readonly declination: number; readonly equationMin: number } {
  const t = (at - j2000) / centuryMs
  const meanLongitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)) * radians
  const anomaly = (357.52911 + t * (35_999.05029 - t * 0.0001537)) * radians
  const eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267)
  const centre =
    Math.sin(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) +
    Math.sin(2 * anomaly) * (0.019993 - t * 0.000101) +
    Math.sin(3 * anomaly) * 0.000289
  const node = (125.04 - 1_934.136 * t) * radians
  const apparent = meanLongitude + (centre - 0.00569 - 0.00478 * Math.sin(node)) * radians
  const meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
  const obliquity = (meanObliquity + 0.00256 * Math.cos(node)) * radians
  const y = Math.tan(obliquity / 2) ** 2
  const equation =
    y * Math.sin(2 * meanLongitude) -
    2 * eccentricity * Math.sin(anomaly) +
    4 * eccentricity * y * Math.sin(anomaly) * Math.cos(2 * meanLongitude) -
    0.5 * y * y * Math.sin(4 * meanLongitude) -
    1.25 * eccentricity * eccentricity * Math.sin(2 * anomaly)
  return {
    declination: Math.asin(Math.sin(obliquity) * Math.sin(apparent)) / radians,
    equationMin: (4 * equation) / radians,
  }
}
