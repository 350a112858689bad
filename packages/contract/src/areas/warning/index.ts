import { area, callsIn } from '../../core/area.ts'
import * as explaining from './explaining.ts'
import * as lineFeatures from './line-features.ts'
import * as loadAgain from './load-again.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as preview from './preview.ts'
import { reports } from './reports.ts'
import * as rules from './rules.ts'
import * as warnings from './warnings.ts'

export * from './explaining.ts'
export * from './line-features.ts'
export { LoadAgain, listLoadAgain } from './load-again.ts'
export * from './preview.ts'
export {
  listWarningRuleChanges,
  listWarningRules,
  maxRuleLines,
  restoreWarningRule,
  updateWarningRule,
  WarningRule,
  type WarningRuleChange,
  type WarningRuleValues,
} from './rules.ts'
export { countWarnings, exportWarnings, queryWarnings, sparkDays, Warning, WarningEvidence, warningDetails } from './warnings.ts'

export const warningArea = area({
  name: 'warning',
  pages,
  calls: callsIn(warnings, explaining, rules, preview, lineFeatures, loadAgain),
  names,
  reports,
})
