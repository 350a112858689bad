import * as account from '../areas/account/names.ts'
import * as alarm from '../areas/alarm/names.ts'
import * as audit from '../areas/audit/names.ts'
import * as automation from '../areas/automation/names.ts'
import * as control from '../areas/control/names.ts'
import * as energy from '../areas/energy/names.ts'
import * as equipment from '../areas/equipment/names.ts'
import * as firmware from '../areas/firmware/names.ts'
import * as hazard from '../areas/hazard/names.ts'
import * as health from '../areas/health/names.ts'
import * as inspection from '../areas/inspection/names.ts'
import * as people from '../areas/people/names.ts'
import * as push from '../areas/push/names.ts'
import * as report from '../areas/report/names.ts'
import * as screen from '../areas/screen/names.ts'
import * as settings from '../areas/settings/names.ts'
import * as site from '../areas/site/names.ts'
import * as warning from '../areas/warning/names.ts'
import * as workorder from '../areas/workorder/names.ts'
import { foldOf } from '../terms/fold.ts'

/** One business area has one name, in every wing. */
export type Area =
  | 'account'
  | 'people'
  | 'site'
  | 'control'
  | 'settings'
  | 'alarm'
  | 'push'
  | 'firmware'
  | 'equipment'
  | 'monitor'
  | 'history'
  | 'warning'
  | 'automation'
  | 'inspection'
  | 'hazard'
  | 'health'
  | 'workorder'
  | 'energy'
  | 'report'
  | 'audit'
  | 'ingest'
  | 'screen'

/** What an entry of the audit trail can be about. */
export const subjectKinds = foldOf(
  account.subjects,
  people.subjects,
  site.subjects,
  control.subjects,
  settings.subjects,
  alarm.subjects,
  push.subjects,
  firmware.subjects,
  audit.subjects,
  warning.subjects,
  automation.subjects,
  workorder.subjects,
  health.subjects,
  hazard.subjects,
  inspection.subjects,
  screen.subjects,
)

/** What the audit trail calls each action, and each call that it names when it is refused. It takes no action that is not here. */
export const actionNames = foldOf(
  account.actions,
  people.actions,
  site.actions,
  control.actions,
  settings.actions,
  alarm.actions,
  push.actions,
  firmware.actions,
  equipment.actions,
  audit.actions,
  warning.actions,
  automation.actions,
  workorder.actions,
  health.actions,
  hazard.actions,
  inspection.actions,
  energy.actions,
  report.actions,
  screen.actions,
  account.refusedCalls,
  people.refusedCalls,
  site.refusedCalls,
  control.refusedCalls,
  settings.refusedCalls,
  alarm.refusedCalls,
  push.refusedCalls,
  firmware.refusedCalls,
  equipment.refusedCalls,
  warning.refusedCalls,
  automation.refusedCalls,
  workorder.refusedCalls,
  health.refusedCalls,
  hazard.refusedCalls,
  inspection.refusedCalls,
  energy.refusedCalls,
  report.refusedCalls,
  screen.refusedCalls,
)

/** What a person reads who is refused by an area. */
export const refusals = foldOf(
  account.refusals,
  people.refusals,
  site.refusals,
  control.refusals,
  settings.refusals,
  alarm.refusals,
  push.refusals,
  firmware.refusals,
  equipment.refusals,
  warning.refusals,
  automation.refusals,
  workorder.refusals,
  health.refusals,
  hazard.refusals,
  inspection.refusals,
  energy.refusals,
  report.refusals,
  screen.refusals,
)
