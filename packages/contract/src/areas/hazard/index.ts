import { area, callsIn } from '../../core/area.ts'
import * as analysis from './analysis.ts'
import { pages } from './pages.ts'

export * from './analysis.ts'

export const hazardArea = area({
  name: 'hazard',
  pages,
  calls: callsIn(analysis),
})
