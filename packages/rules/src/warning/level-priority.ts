import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { WarningLevel } from './finding.ts'

const steps: Readonly<Record<WarningLevel, number>> = { notice: 1, warning: 0, alarm: -1 }

/**
 * The priority of a finding: that of its rule where it is a warning, one milder as a notice, one graver as an alarm. Never critical unless
 * the rule says so: people are in danger by what an alarm reports, not by what may come.
 */
export function levelPriority(level: WarningLevel, usual: Priority): Priority {
  const own = priorities.indexOf(usual)
  const gravest = Math.min(own, priorities.indexOf('high'))
  return priorities[Math.max(gravest, Math.min(priorities.length - 1, own + steps[level]))] ?? usual
}
