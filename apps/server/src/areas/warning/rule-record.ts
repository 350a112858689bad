import type { WarningRule, WarningRuleChange, WarningRuleValues } from '@linewarden/contract'
import type { RuleInForce, RuleTargets, RuleValues, WarningDetector } from '@linewarden/rules/warning'
import { isMeasured, noisyAbove, ruleTexts, stricterWay } from '@linewarden/rules/warning'
import type { KeptRule, RuleChangeRow } from '../../store/warning/rule.ts'

interface Listed {
  readonly projectId: number | null
  readonly rule: RuleInForce
  /** What it would be if it were restored. */
  readonly above: RuleInForce
  /** As somebody set it at this very place, in force or given up; undefined: nobody did. */
  readonly kept: KeptRule | undefined
  /** Lines that it is applied to, and what it raised on them in the last 30 days. */
  readonly lines: number
  readonly findings: number
}

/** A rule as the API shows it. */
export function ruleRecord(detector: WarningDetector, { projectId, rule, above, kept, lines, findings }: Listed): WarningRule {
  const texts = ruleTexts[detector.key]
  if (!texts) throw new Error(`no texts of ${detector.key}`)
  return {
    RuleID: rule.ruleId,
    HouseID: projectId,
    Key: detector.key,
    Group: texts.group,
    Label: detector.label,
    Meaning: texts.meaning,
    Origin: rule.origin,
    Enabled: rule.enabled,
    Unavailable: isMeasured(detector.key) ? null : 'notMeasured',
    Params: Object.entries(detector.parameters).map(([name, parameter]) => ({
      Name: name,
      Label: parameter.label,
      Unit: parameter.unit,
      Value: rule.params[name] ?? parameter.default,
      Default: above.params[name] ?? parameter.default,
      BuiltIn: parameter.default,
      Min: parameter.min,
      Max: parameter.max,
      Source: parameter.source,
      Stricter: stricterWay(detector.key, name),
    })),
    Priority: rule.priority,
    DefaultPriority: above.priority,
    Targets: targetsRecord(rule.targets),
    Except: [...rule.except],
    Version: kept?.version ?? 0,
    ChangedAt: kept?.changedAt ?? null,
    ChangedBy: kept?.changedBy ?? null,
    Lines: lines,
    Findings: findings,
    Noisy: findings > noisyAbove(lines),
  }
}

export const changeRecord = (row: RuleChangeRow): WarningRuleChange => ({
  Version: row.version,
  At: row.at.getTime(),
  By: row.actor,
  Reason: row.reason,
  Restored: row.restored,
  Changed: changedFields(row.before, row.after),
  Before: valuesRecord(row.before),
  After: valuesRecord(row.after),
})

const targetsRecord = (targets: RuleTargets): WarningRule['Targets'] => ({
  Kind: targets.kind,
  Families: targets.kind === 'families' ? [...targets.families] : [],
  LineIDs: targets.kind === 'lines' ? [...targets.lineIds] : [],
})

const valuesRecord = ({ enabled, params, priority, targets, except }: RuleValues): WarningRuleValues => ({
  Enabled: enabled,
  Params: Object.entries(params).map(([Name, Value]) => ({ Name, Value })),
  Priority: priority,
  Targets: targetsRecord(targets),
  Except: [...except],
})

/** What is other after a change: names of fields, and of figures. */
function changedFields(before: RuleValues, after: RuleValues): string[] {
  const names = new Set([...Object.keys(before.params), ...Object.keys(after.params)])
  return [
    ...(before.enabled === after.enabled ? [] : ['Enabled']),
    ...[...names].filter((name) => before.params[name] !== after.params[name]),
    ...(before.priority === after.priority ? [] : ['Priority']),
    ...(same(before.targets, after.targets) ? [] : ['Targets']),
    ...(same(before.except, after.except) ? [] : ['Except']),
  ]
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
