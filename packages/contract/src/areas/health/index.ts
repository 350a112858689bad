import { area, callsIn } from '../../core/area.ts'
import * as devtests from './devtests.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import { reports } from './reports.ts'

export * from './devtests.ts'
export * from './health-check.ts'

export const healthArea = area({
  name: 'health',
  pages,
  calls: callsIn(devtests),
  names,
  reports,
})
