import type { LinkageRule, LinkageState, Truth } from '@linewarden/rules/automation'
import { blindConditions, combine, meets, truthAt } from '@linewarden/rules/automation'
import type { Ingest } from '../../field/ingest.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { lineOf } from './linkage-lines.ts'
import { isFresh, reportedAt, ruleCondition, valueNow } from './linkage-values.ts'

/** Where the conditions of a linkage stand. */
export interface LinkageView {
  readonly conditions: readonly ConditionView[]
  readonly truth: Truth
  /** By their place; unknown for longer than may be. */
  readonly blind: readonly number[]
}

export interface ConditionView {
  readonly value: number | null
  /** When it came, Unix ms. */
  readonly at: number | null
  readonly truth: Truth
  /** Since when it is met without a gap; null: it is not, or that is not known. */
  readonly since: number | null
}

/** Of one that is evaluated: by its clocks. */
export function foldedView(rule: LinkageRule, state: LinkageState, now: number): LinkageView {
  const conditions = rule.conditions.map((condition, index): ConditionView => {
    const own = state.conditions[index]
    if (!own) return nothingKnown
    const truth = truthAt(condition, own, now)
    const since = own.met && own.since !== null && own.since > 0 ? own.since : null
    return { value: truth === 'unknown' ? null : own.value, at: own.goodAt, truth, since }
  })
  return {
    conditions,
    truth: combine(
      rule.match,
      conditions.map(({ truth }) => truth),
    ),
    blind: blindConditions(rule, state, now),
  }
}

/** Of one that is not: by what its lines say now. Nothing is counted, and so a duration is not known. */
export function plainView(
  { plant, ingest }: { readonly plant: Plant; readonly ingest: Pick<Ingest, 'hasValidPosition'> },
  linkage: StoredLinkage,
  now: number,
): LinkageView {
  const { match, conditions } = linkage
  const views = conditions.map((condition): ConditionView => {
    const line = lineOf(plant, linkage, condition.lineId)
    if (!line) return nothingKnown
    const value = isFresh(line, condition, now) ? valueNow(ingest, line, condition) : null
    const at = condition.kind === 'link' ? line.device.linkSince : reportedAt(line, condition)
    if (value === null) return { ...nothingKnown, at }
    const isMet = meets(ruleCondition(line, condition), false, value)
    return { value, at, truth: isMet && condition.forS > 0 ? 'unknown' : isMet, since: null }
  })
  return {
    conditions: views,
    truth: combine(
      match,
      views.map(({ truth }) => truth),
    ),
    blind: [],
  }
}

const nothingKnown: ConditionView = { value: null, at: null, truth: 'unknown', since: null }
