import { accountPages } from './account/pages.ts'
import { alarmPages } from './alarm/pages.ts'
import { auditPages } from './audit/pages.ts'
import { automationPages } from './automation/pages.ts'
import type { ConsolePages } from './console-area.ts'
import { controlPages } from './control/pages.ts'
import { energyPages } from './energy/pages.ts'
import { equipmentPages } from './equipment/pages.ts'
import { firmwarePages } from './firmware/pages.ts'
import { hazardPages } from './hazard/pages.ts'
import { healthPages } from './health/pages.ts'
import { historyPages } from './history/pages.ts'
import { inspectionPages } from './inspection/pages.ts'
import { monitorPages } from './monitor/pages.ts'
import { peoplePages } from './people/pages.ts'
import { reportPages } from './report/pages.ts'
import { screenPages } from './screen/pages.ts'
import { settingsPages } from './settings/pages.ts'
import { sitePages } from './site/pages.ts'
import { warningPages } from './warning/pages.ts'
import { workOrderPages } from './workorder/pages.ts'

/** The pages that are there, by route. One of the menu that is missing here is marked as under development. */
export const builtPages: ConsolePages = {
  ...accountPages,
  ...alarmPages,
  ...auditPages,
  ...automationPages,
  ...controlPages,
  ...energyPages,
  ...equipmentPages,
  ...firmwarePages,
  ...hazardPages,
  ...healthPages,
  ...historyPages,
  ...inspectionPages,
  ...monitorPages,
  ...peoplePages,
  ...reportPages,
  ...screenPages,
  ...settingsPages,
  ...sitePages,
  ...warningPages,
  ...workOrderPages,
}
