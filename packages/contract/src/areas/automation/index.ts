import { area, callsIn } from '../../core/area.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as runs from './runs.ts'

export * from './runs.ts'

export const automationArea = area({
  name: 'automation',
  pages,
  calls: callsIn(runs),
  names,
})
