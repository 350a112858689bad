import type { HealthCheck, HealthCheckLine } from '@linewarden/contract'
import type { HealthCost } from '@linewarden/rules/health'
import { compareItems } from '@linewarden/rules/health'
import type { HealthCheckRow, HealthLineRow } from '../../store/health/check.ts'
import type { StoredHealthResult } from '../../store/health/schema.ts'
import { dayText } from '../warning/line-facts.ts'

export const costRecord = ({ category, points, lines }: HealthCost) => ({ Category: category, Points: points, Lines: lines })

const tenth = (value: number | null): number | null => value && Math.round(10 * value) / 10

const resultRecord = (result: StoredHealthResult): NonNullable<HealthCheck['Result']> => ({
  ...{ Score: result.score, Band: result.band, Average: tenth(result.average), WorstTenth: tenth(result.worstTenth) },
  ...{ WorstLines: result.worstLines, Scored: result.scored, Unscored: result.unscored, Coverage: result.coverage },
  ...{ Bands: result.bands, Costs: result.costs.map(costRecord), Hash: result.hash },
  CostTotal: result.costs.reduce((sum, { points }) => sum + points, 0),
})

/** A health check as the API shows it. */
export const checkRecord = (row: HealthCheckRow): HealthCheck => ({
  ...{ TestID: row.test_id, Number: row.number, HouseID: row.project_id, HouseName: row.project_name },
  ...{ DeviceID: row.gateway_id, GatewayName: row.gateway_name, LineID: row.line_id },
  ...{ Origin: row.due_at === null ? 'person' : 'monthly', Actor: row.actor, RuleVersion: row.rule_version, State: row.state },
  ...{ StartedAt: row.started_at.getTime(), EndedAt: row.ended_at?.getTime() ?? null, TimeZone: row.time_zone },
  ...{ FromDay: dayText(row.from_day), ToDay: dayText(row.to_day), Lines: row.lines, Done: row.done },
  Result: row.result && resultRecord(row.result),
})

/** What was found on a line. `wasCompared`: there is a check before, so that what it had not is new. */
export function lineRecord(row: HealthLineRow, wasCompared: boolean): HealthCheckLine {
  const { found } = row
  const before = row.before_found?.items ?? []
  const { worse, gone } = compareItems(found.items, before)
  return {
    ...{ LineID: row.line_id, ControllerID: found.controllerId, LineNo: found.lineNo, LineName: row.line_name },
    ...{ DeviceID: found.gatewayId, GatewayName: row.gateway_name, Model: found.model, RatedCurrentA: found.ratedA },
    ...{ Score: row.score, Band: found.band, Coverage: row.coverage, BeforeScore: row.before_score },
    ...{ Ceilings: [...found.ceilings], CeilingCost: found.ceilingCost },
    Parts: found.parts.map(({ category, weight, deducted, counted }) => ({
      ...{ Category: category, Weight: weight, Deducted: deducted, Counted: counted },
    })),
    Items: found.items.map(({ key, category, deduct, value, limit, unit, text, source, mend }) => ({
      ...{ Key: key, Category: category, Deduct: deduct, Value: value, Limit: limit, Unit: unit, Text: text, Source: source },
      ...{ Mend: mend, New: wasCompared && worse.has(key) },
    })),
    Gone: gone.map(({ text, deduct }) => ({ Text: text, Deduct: deduct })),
    Gaps: found.gaps.map(({ category, text }) => ({ Category: category, Text: text })),
  }
}
