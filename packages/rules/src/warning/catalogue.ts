import { arcPrecursor } from './arc-precursor.ts'
import { contact } from './contact.ts'
import type { WarningDetector } from './detector.ts'
import { diagramDisagrees } from './diagram-disagrees.ts'
import { leakageDrift } from './leakage-drift.ts'
import { leakageStep } from './leakage-step.ts'
import { loadAgain } from './load-again.ts'
import { loadGrowth } from './load-growth.ts'
import { neutral } from './neutral.ts'
import { offline } from './offline.ts'
import { linkUnstable, tripsOften } from './often.ts'
import { overcurrent } from './overcurrent.ts'
import { phaseLoss } from './phase-loss.ts'
import { releaseSlow } from './release-slow.ts'
import { unbalance } from './unbalance.ts'
import { voltageRange } from './voltage-range.ts'
import { wear } from './wear.ts'

/** Every detector of early warning, what burns first at the top. */
export const detectors: readonly WarningDetector[] = [
  contact,
  arcPrecursor,
  leakageStep,
  leakageDrift,
  neutral,
  phaseLoss,
  overcurrent,
  diagramDisagrees,
  loadGrowth,
  unbalance,
  voltageRange,
  wear,
  releaseSlow,
  tripsOften,
  linkUnstable,
  offline,
  loadAgain,
]
