import { detectorRationales, linkRationales } from './detectors.ts'
import { electricalRationales } from './electrical.ts'
import type { AlarmRationale } from './rationale.ts'
import { tripRationales } from './trips.ts'

export type { AlarmRationale } from './rationale.ts'

/** The rationalisation sheet as it is shipped: one entry for each alarm of each family, and for what is silent. */
export const rationales: readonly AlarmRationale[] = [
  ...electricalRationales,
  ...tripRationales,
  ...detectorRationales,
  ...linkRationales,
]

/** What the sheet says of an alarm; null: nothing. */
export const rationaleOf = (key: string): AlarmRationale | null => rationales.find((each) => each.key === key) ?? null
