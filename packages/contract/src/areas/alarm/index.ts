import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as acknowledging from './acknowledging.ts'
import * as alarm from './alarm.ts'
import * as eventList from './event-list.ts'
import * as evidence from './evidence.ts'
import * as groups from './groups.ts'
import * as incidents from './incidents.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as rationale from './rationale.ts'
import * as report from './report.ts'
import { reports } from './reports.ts'
import * as shelving from './shelving.ts'
import * as steps from './steps.ts'
import * as views from './views.ts'

export * from './acknowledging.ts'
export * from './alarm.ts'
export * from './event-list.ts'
export * from './evidence.ts'
export * from './groups.ts'
export * from './incidents.ts'
export * from './rationale.ts'
export * from './report.ts'
export * from './shelving.ts'
export * from './steps.ts'
export * from './views.ts'

export const alarmArea = area({
  name: 'alarm',
  pages,
  calls: callsIn(alarm, eventList, acknowledging, steps, shelving, evidence, incidents, groups, rationale, report, views),
  names,
  reports,
  live: { event: { event: alarm.EventRecord, isNew: Type.Boolean() } },
})
