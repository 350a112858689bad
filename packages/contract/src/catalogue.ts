import { accountArea } from './areas/account/index.ts'
import { alarmArea } from './areas/alarm/index.ts'
import { auditArea } from './areas/audit/index.ts'
import { controlArea } from './areas/control/index.ts'
import { equipmentArea } from './areas/equipment/index.ts'
import { firmwareArea } from './areas/firmware/index.ts'
import { historyArea } from './areas/history/index.ts'
import { ingestArea } from './areas/ingest/index.ts'
import { monitorArea } from './areas/monitor/index.ts'
import { peopleArea } from './areas/people/index.ts'
import { pushArea } from './areas/push/index.ts'
import { settingsArea } from './areas/settings/index.ts'
import { siteArea } from './areas/site/index.ts'
import type { MessagesOf } from './core/area.ts'
import type { Call } from './core/call.ts'
import { foldOf } from './terms/fold.ts'

const placeOf = ({ path, method }: Call): string => `${path} ${method}`

/** Every call by its name. One that two areas declare does not compile. */
const calls = foldOf(
  accountArea.calls,
  peopleArea.calls,
  auditArea.calls,
  siteArea.calls,
  monitorArea.calls,
  historyArea.calls,
  controlArea.calls,
  settingsArea.calls,
  equipmentArea.calls,
  alarmArea.calls,
  firmwareArea.calls,
  ingestArea.calls,
  pushArea.calls,
)

/** Every call of the API by its path, for the documentation and for tests that sweep them all. */
export const allCalls: readonly Call[] = Object.values<Call>(calls).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

/** What comes live of the areas, by the kind of the message. */
const live = foldOf(siteArea.live, monitorArea.live, controlArea.live, settingsArea.live, alarmArea.live)

/** What the areas send. */
export type AreaMessage = MessagesOf<typeof live>
