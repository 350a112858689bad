import { area, callsIn } from '../../core/area.ts'
import * as deviceData from './device-data.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import { reports } from './reports.ts'
import * as schedules from './schedules.ts'

export * from './device-data.ts'
export * from './schedules.ts'

export const reportArea = area({
  name: 'report',
  pages,
  calls: callsIn(deviceData, schedules),
  names,
  reports,
})
