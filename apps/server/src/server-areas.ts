import type { BuiltArea } from '@linewarden/contract'
import { accountArea } from './areas/account/area.ts'
import { alarmArea } from './areas/alarm/area.ts'
import { auditArea } from './areas/audit/area.ts'
import { automationArea } from './areas/automation/area.ts'
import { controlArea } from './areas/control/area.ts'
import { energyArea } from './areas/energy/area.ts'
import { equipmentArea } from './areas/equipment/area.ts'
import { firmwareArea } from './areas/firmware/area.ts'
import { hazardArea } from './areas/hazard/area.ts'
import { healthArea } from './areas/health/area.ts'
import { historyArea } from './areas/history/area.ts'
import { ingestArea } from './areas/ingest/area.ts'
import { inspectionArea } from './areas/inspection/area.ts'
import { monitorArea } from './areas/monitor/area.ts'
import { peopleArea } from './areas/people/area.ts'
import { pushArea } from './areas/push/area.ts'
import { reportArea } from './areas/report/area.ts'
import { screenArea } from './areas/screen/area.ts'
import type { ServerArea } from './areas/server-area.ts'
import { settingsArea } from './areas/settings/area.ts'
import { siteArea } from './areas/site/area.ts'
import { warningArea } from './areas/warning/area.ts'
import { workorderArea } from './areas/workorder/area.ts'

/** The areas of the server: each that the contract has. They are built in this order, each after those that it needs. */
export const serverAreas: { readonly [A in BuiltArea]: ServerArea<unknown, A> } = {
  account: accountArea,
  people: peopleArea,
  site: siteArea,
  settings: settingsArea,
  control: controlArea,
  firmware: firmwareArea,
  monitor: monitorArea,
  alarm: alarmArea,
  warning: warningArea,
  automation: automationArea,
  equipment: equipmentArea,
  ingest: ingestArea,
  push: pushArea,
  hazard: hazardArea,
  workorder: workorderArea,
  health: healthArea,
  inspection: inspectionArea,
  history: historyArea,
  energy: energyArea,
  report: reportArea,
  screen: screenArea,
  audit: auditArea,
}
