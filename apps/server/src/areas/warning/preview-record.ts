import type { WarningRulePreview } from '@linewarden/contract'
import type { BackTestSummary } from '@linewarden/rules/warning'
import type { Plant } from '../../plant/plant.ts'
import { dayText } from './line-facts.ts'

/** What a rule would have raised, as the API shows it. */
export function previewRecord(
  plant: Plant,
  key: string,
  summary: BackTestSummary,
  facts: {
    readonly stretch: { readonly from: number; readonly to: number }
    readonly lines: number
    readonly excepted: number
    readonly limit: number
    readonly isNoisy: boolean
    readonly halving: WarningRulePreview['Halving']
    readonly tookMs: number
  },
): WarningRulePreview {
  const side = ({ findings, lines, maxHours }: BackTestSummary['changed']) => ({
    ...{ Findings: findings, Lines: lines, LongestHours: maxHours },
  })
  return {
    ...{ Key: key, From: facts.stretch.from, To: facts.stretch.to, Days: summary.perDay.length },
    ...{ Lines: facts.lines, Excepted: facts.excepted, Evaluated: summary.evaluated },
    NotEvaluated: summary.notEvaluated.map(([Reason, Lines]) => ({ Reason, Lines })),
    CoveragePercent: summary.coveragePercent,
    ...{ New: side(summary.changed), Present: side(summary.present), More: summary.more, Fewer: summary.fewer },
    PerDay: summary.perDay.map(({ day, changed, present, both, evaluated }) => ({
      ...{ Day: dayText(day), New: changed, Present: present, Both: both, Evaluated: evaluated },
    })),
    Noisiest: summary.noisiest.flatMap(({ lineId, changed, present }) => {
      const line = plant.lines.get(lineId)
      if (!line) return []
      const { device } = line
      return [
        {
          ...{ LineID: lineId, ControllerID: device.controllerId, LineNo: line.lineNo, LineName: line.name || device.name },
          ...{ GatewayName: device.gateway.name, HouseName: device.gateway.project.name, New: changed, Present: present },
        },
      ]
    }),
    ...{ Noisy: facts.isNoisy, NoisyAbove: facts.limit, Halving: facts.halving, TookMs: facts.tookMs },
  }
}
