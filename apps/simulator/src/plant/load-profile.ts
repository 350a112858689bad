import { hourMs } from '@linewarden/equipment'
import type { LinePlan, LoadKind } from '../plan.ts'
import { weatherAt } from './weather.ts'

/** Share of the rated current by hour of the local day, 0 to 23. */
const profiles: Readonly<Record<LoadKind, readonly number[]>> = {
  office: [
    0.08, 0.08, 0.08, 0.08, 0.08, 0.09, 0.12, 0.22, 0.42, 0.52, 0.55, 0.55, 0.45, 0.5, 0.56, 0.55, 0.52, 0.46, 0.34, 0.24, 0.18,
    0.14, 0.1, 0.09,
  ],
  residential: [
    0.2, 0.16, 0.14, 0.13, 0.13, 0.15, 0.25, 0.35, 0.3, 0.26, 0.26, 0.34, 0.38, 0.3, 0.28, 0.28, 0.32, 0.42, 0.55, 0.6, 0.58, 0.5,
    0.38, 0.28,
  ],
  lighting: [
    0.3, 0.28, 0.28, 0.28, 0.28, 0.3, 0.35, 0.35, 0.32, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.32, 0.38, 0.48, 0.55, 0.55, 0.52, 0.46,
    0.4, 0.34,
  ],
  charger: [
    0.6, 0.62, 0.6, 0.5, 0.38, 0.25, 0.16, 0.14, 0.18, 0.22, 0.24, 0.26, 0.3, 0.3, 0.26, 0.24, 0.24, 0.28, 0.36, 0.45, 0.5, 0.54,
    0.58, 0.6,
  ],
  lift: [
    0.05, 0.04, 0.04, 0.04, 0.05, 0.08, 0.16, 0.3, 0.32, 0.2, 0.18, 0.22, 0.26, 0.22, 0.18, 0.18, 0.22, 0.32, 0.32, 0.24, 0.18,
    0.14, 0.1, 0.06,
  ],
  hvac: [
    0.2, 0.18, 0.18, 0.18, 0.18, 0.2, 0.26, 0.36, 0.45, 0.5, 0.54, 0.58, 0.6, 0.62, 0.64, 0.62, 0.58, 0.52, 0.46, 0.4, 0.34, 0.3,
    0.26, 0.22,
  ],
  socket: [
    0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.14, 0.2, 0.3, 0.34, 0.36, 0.38, 0.36, 0.34, 0.34, 0.34, 0.34, 0.34, 0.32, 0.3, 0.26, 0.2,
    0.16, 0.12,
  ],
}

/** Typical power factor of what is connected; motors run on inverters. */
export const powerFactorOf: Readonly<Record<LoadKind, number>> = {
  office: 0.93,
  residential: 0.95,
  lighting: 0.96,
  charger: 0.98,
  lift: 0.88,
  hvac: 0.9,
  socket: 0.92,
}

/** What a weekend leaves of each, as a share of a working day. */
const weekendOf: Readonly<Record<LoadKind, number>> = {
  office: 0.4,
  residential: 1.1,
  lighting: 0.85,
  charger: 1.05,
  lift: 0.8,
  hvac: 0.65,
  socket: 0.6,
}

/** How much more cooling takes for each kelvin that it is warmer outside. */
const coolingPerK = 0.025

const chinaOffsetMs = 8 * hourMs

/** The usual share of the rated current at a time, gliding from hour to hour; no two days of a line are quite the same. */
export function loadShare({ load, lineNo, name }: Pick<LinePlan, 'load' | 'lineNo' | 'name'>, now: number): number {
  const local = (now + chinaOffsetMs) / hourMs
  const hour = Math.floor(local)
  const at = (each: number) => (profiles[load][each % 24] ?? 0) * dayFactor(load, Math.floor(each / 24), lineNo + name.length)
  const usual = at(hour) + (at(hour + 1) - at(hour)) * (local - hour)
  return load === 'hvac' ? usual * (1 + coolingPerK * weatherAt(now).warmerK) : usual
}

/** 1 January 1970 was a Thursday. */
const isWeekend = (day: number): boolean => (day + 4) % 7 === 0 || (day + 4) % 7 === 6

function dayFactor(load: LoadKind, day: number, line: number): number {
  const chance = Math.sin(day * 12.9898 + line * 78.233) * 43_758.5453
  return (isWeekend(day) ? weekendOf[load] : 1) * (0.94 + 0.12 * (chance - Math.floor(chance)))
}

/** The air in a cabinet indoors: warmest in the evening, coolest in the morning, and a little of the weather. */
export function cabinetAirC(now: number): number {
  const local = (now + chinaOffsetMs) / hourMs
  return 26 + 1.5 * Math.sin(((local - 12) / 12) * Math.PI) + 0.25 * weatherAt(now).warmerK
}
