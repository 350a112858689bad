import { accountArea } from './areas/account/index.ts'
import { alarmArea } from './areas/alarm/index.ts'
import { auditArea } from './areas/audit/index.ts'
import { automationArea } from './areas/automation/index.ts'
import { controlArea } from './areas/control/index.ts'
import { energyArea } from './areas/energy/index.ts'
import { equipmentArea } from './areas/equipment/index.ts'
import { firmwareArea } from './areas/firmware/index.ts'
import { hazardArea } from './areas/hazard/index.ts'
import { healthArea } from './areas/health/index.ts'
import { historyArea } from './areas/history/index.ts'
import { ingestArea } from './areas/ingest/index.ts'
import { inspectionArea } from './areas/inspection/index.ts'
import { monitorArea } from './areas/monitor/index.ts'
import { peopleArea } from './areas/people/index.ts'
import { pushArea } from './areas/push/index.ts'
import { reportArea } from './areas/report/index.ts'
import { screenArea } from './areas/screen/index.ts'
import { settingsArea } from './areas/settings/index.ts'
import { siteArea } from './areas/site/index.ts'
import { warningArea } from './areas/warning/index.ts'
import { workorderArea } from './areas/workorder/index.ts'
import type { LiveKinds, Manifest, MessagesOf } from './core/area.ts'
import type { Call } from './core/call.ts'
import { foldOf } from './terms/fold.ts'

/** The areas that are built. */
const manifests = [
  accountArea,
  peopleArea,
  auditArea,
  siteArea,
  monitorArea,
  historyArea,
  controlArea,
  settingsArea,
  equipmentArea,
  alarmArea,
  hazardArea,
  firmwareArea,
  ingestArea,
  pushArea,
  warningArea,
  automationArea,
  workorderArea,
  healthArea,
  inspectionArea,
  energyArea,
  reportArea,
  screenArea,
] as const
type Manifests = typeof manifests

/** The name of an area that is built. */
export type BuiltArea = Manifests[number]['name']

const placeOf = ({ path, method }: Call): string => `${path} ${method}`

type CallsOf<T extends readonly Manifest[]> = { readonly [I in keyof T]: T[I]['calls'] }
type LiveOf<T extends readonly Manifest[]> = {
  readonly [I in keyof T]: T[I] extends { readonly live: infer L extends LiveKinds } ? L : object
}

/** Every call by its name. One that two areas declare does not compile. */
const calls = foldOf(...(manifests.map(({ calls }) => calls) as unknown as CallsOf<Manifests>))

/** What comes live, by the kind of the message. The same holds of these. */
const live = foldOf(...(manifests.map((each: Manifest) => each.live ?? {}) as unknown as LiveOf<Manifests>))

/** Every call of the API by its path, for the documentation and for tests that sweep them all. */
export const allCalls: readonly Call[] = Object.values<Call>(calls).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

/** What comes live of the areas. */
export type AreaMessage = MessagesOf<typeof live>
