import { foldOf } from '@linewarden/contract'
import { frame } from '../app/frame-texts.ts'
import { exposure } from '../app/notify/exposure-texts.ts'
import { accountArea } from './account/area.ts'
import { alarmArea } from './alarm/area.ts'
import { auditArea } from './audit/area.ts'
import { automationArea } from './automation/area.ts'
import { controlArea } from './control/area.ts'
import { energyArea } from './energy/area.ts'
import { equipmentArea } from './equipment/area.ts'
import { firmwareArea } from './firmware/area.ts'
import { hazardArea } from './hazard/area.ts'
import { healthArea } from './health/area.ts'
import { historyArea } from './history/area.ts'
import { inspectionArea } from './inspection/area.ts'
import { monitorArea } from './monitor/area.ts'
import { peopleArea } from './people/area.ts'
import { pushArea } from './push/area.ts'
import { reportArea } from './report/area.ts'
import { screenArea } from './screen/area.ts'
import { settingsArea } from './settings/area.ts'
import { siteArea } from './site/area.ts'
import { warningArea } from './warning/area.ts'
import { workorderArea } from './workorder/area.ts'

/** Every area, in the order in which they are notified of what comes live. */
export const areas = [
  accountArea,
  alarmArea,
  auditArea,
  automationArea,
  controlArea,
  energyArea,
  equipmentArea,
  firmwareArea,
  hazardArea,
  healthArea,
  historyArea,
  inspectionArea,
  monitorArea,
  peopleArea,
  pushArea,
  reportArea,
  screenArea,
  settingsArea,
  siteArea,
  warningArea,
  workorderArea,
] as const

/** The texts behind the login. A namespace that two areas have does not compile. */
export const texts = foldOf(
  { app: frame, exposure },
  accountArea.texts,
  controlArea.texts,
  firmwareArea.texts,
  historyArea.texts,
  monitorArea.texts,
  peopleArea.texts,
  pushArea.texts,
  settingsArea.texts,
  siteArea.texts,
)
