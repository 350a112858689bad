import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as analysis from './analysis.ts'
import * as hazards from './hazards.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import { reports } from './reports.ts'

export * from './analysis.ts'
export * from './hazards.ts'
export * from './trend-option.ts'

export const hazardArea = area({
  name: 'hazard',
  pages,
  calls: callsIn(analysis, hazards),
  names,
  reports,
  /** A hazard was found, or something happened to it. */
  live: { hazard: { HazardID: Type.Integer() } },
})
