import { airSwitch1p } from './families/air-switch-1p.ts'
import { airSwitch3p } from './families/air-switch-3p.ts'
import { arcDetector } from './families/arc-detector.ts'
import { breaker1p } from './families/breaker-1p.ts'
import { breaker3p } from './families/breaker-3p.ts'
import { currentLimiter } from './families/current-limiter.ts'
import { detectorLte } from './families/detector-lte.ts'
import { detectorRs } from './families/detector-rs.ts'
import { gas } from './families/gas.ts'
import { infrared } from './families/infrared.ts'
import { nt8117 } from './families/nt8117.ts'
import { nt8141 } from './families/nt8141.ts'
import { nt9141 } from './families/nt9141.ts'
import { powerController } from './families/power-controller.ts'
import { smoke } from './families/smoke.ts'
import { tokenDetector } from './families/token-detector.ts'
import { waterImmersion } from './families/water-immersion.ts'
import type { Family, Point } from './family.ts'

/** Every family Linewarden knows. Adding one is one file under `families/` and one line here. */
export const families: readonly Family[] = [
  breaker3p,
  breaker1p,
  airSwitch3p,
  airSwitch1p,
  arcDetector,
  powerController,
  currentLimiter,
  smoke,
  gas,
  infrared,
  waterImmersion,
  nt8141,
  nt8117,
  nt9141,
  detectorRs,
  detectorLte,
  tokenDetector,
]

const byKey = new Map(families.map((each) => [each.key, each]))
const byModel = new Map(families.flatMap((each) => each.models.map((model) => [model, each] as const)))

/** The family a key names, or null if there is none. */
export const familyOf = (key: string): Family | null => byKey.get(key) ?? null

/** The family that lists this model code, or null: an unlisted model must name its family at birth. */
export const familyOfModel = (model: string): Family | null => byModel.get(model) ?? null

/** The point of a family by key, or null. */
export const pointOf = (family: Family, key: string): Point | null => family.points.find((point) => point.key === key) ?? null
