import { detectorRationales, linkRationales } from './detectors.ts'
import { electricalRationales } from './electrical.ts'
import type { AlarmRationale } from './rationale.ts'
import { serverRationales } from './server.ts'
import { tripRationales } from './trips.ts'
import { warningRationales } from './warnings.ts'

export type { AlarmRationale } from './rationale.ts'

/** The rationalisation sheet as it is shipped: one entry for each alarm of each family, for what the server raises and for early warnings. */
export const rationales: readonly AlarmRationale[] = [
  ...electricalRationales,
  ...tripRationales,
  ...detectorRationales,
  ...linkRationales,
  ...serverRationales,
  ...warningRationales,
]

/** What the sheet says of an alarm; null: nothing. */
export const rationaleOf = (key: string): AlarmRationale | null => rationales.find((each) => each.key === key) ?? null
