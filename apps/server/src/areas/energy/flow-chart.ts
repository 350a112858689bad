import type { EnergyFlow, FlowNode } from '@linewarden/contract'
import { flowHeight, flowOption, text, wholeKwh, withSmallTogether } from '@linewarden/contract'
import { inLanguage } from '../../http/table-file.ts'
import { chartSvg, printedLook } from '../../pdf/chart.ts'
import { chartWidth } from '../../pdf/svg.ts'

const words = {
  others: text('其余 {count} 路', 'others: {count}'),
  rest: text('未计量与损耗', 'Unmetered, losses'),
  notKnown: text('去向未知', 'Not known'),
} as const

/** Where energy went, as it is drawn in a document; null: no line feeds another. */
export async function flowSvg(flow: EnergyFlow, language: 'CN' | 'EN'): Promise<string | null> {
  if (flow.Feeders === 0) return null
  const total = flow.Nodes.find(({ Kind }) => Kind === 'whole')?.Wh ?? 0
  const drawn = withSmallTogether(flow)
  const nameOf = ({ Kind, Name, Lines }: FlowNode): string =>
    Kind === 'whole' || Kind === 'line' ? (Name ?? '') : inLanguage(words[Kind], language).replace('{count}', String(Lines))
  const size = { width: chartWidth, height: flowHeight(drawn.Links) }
  const shareOf = (wh: number) => (total > 0 ? `${((wh / total) * 100).toFixed(1)} %` : '')
  const option = flowOption({
    ...{ flow: drawn, width: size.width, ...printedLook },
    words: { nameOf, kwhOf: (wh) => `${wholeKwh(wh)} kWh`, shareOf },
  })
  return chartSvg(option, size)
}
