import { hourMs } from '@linewarden/equipment'
import type { LoadKind } from '../plan.ts'

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

/** Typical power factor of what hangs on the line. */
export const powerFactorOf: Readonly<Record<LoadKind, number>> = {
  office: 0.93,
  residential: 0.95,
  lighting: 0.96,
  charger: 0.98,
  lift: 0.82,
  hvac: 0.86,
  socket: 0.92,
}

/** The usual share of the rated current at a time, gliding from hour to hour. */
export function loadShare(load: LoadKind, now: number, offsetMs = 8 * hourMs): number {
  const local = (now + offsetMs) / hourMs
  const hour = Math.floor(local)
  const profile = profiles[load]
  const before = profile[hour % 24] ?? 0
  const after = profile[(hour + 1) % 24] ?? 0
  return before + (after - before) * (local - hour)
}
