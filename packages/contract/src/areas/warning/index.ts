import { area, callsIn } from '../../core/area.ts'
import * as explaining from './explaining.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as rules from './rules.ts'
import * as warnings from './warnings.ts'

export * from './explaining.ts'
export * from './rules.ts'
export * from './warnings.ts'

export const warningArea = area({
  name: 'warning',
  pages,
  calls: callsIn(warnings, explaining, rules),
  names,
})
