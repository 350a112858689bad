import type { EnergyChild } from '@linewarden/contract'
import { maxReportLines } from '@linewarden/contract'
import { barsOf } from '@linewarden/rules/energy'
import type { Plant } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { invalid } from './asked.ts'
import type { Asked } from './picture.ts'
import { measuredOf } from './report.ts'
import type { Reader, Scope } from './scope.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** The gateways of a project or the lines of a gateway, each with its own energy in the bars of the whole. */
export async function energyChildren(deps: Deps, actor: Reader, scope: Scope, asked: Asked): Promise<EnergyChild[]> {
  const children = childrenOf(deps.plant, scope)
  if (children.length > maxReportLines) throw invalid('query.By', manyTexts)
  const measured = await measuredOf(deps.database, actor, children, { ...asked, compared: null })
  const bars = barsOf(asked.zone, asked.unit, asked.first, asked.end)
  return children.map(({ kind, id, name }) => {
    const amounts = measured.get(id)?.amounts
    const Bars = bars.map(({ start, end }) => {
      const amount = amounts?.(start, end)
      return amount && amount.known > 0 ? amount.used : null
    })
    const known = Bars.flatMap((wh) => wh ?? [])
    return {
      ...{ DeviceID: kind === 'g' ? id : scope.id, LineID: kind === 'l' ? id : null, Name: name, Bars },
      Wh: known.length > 0 ? known.reduce((sum, wh) => sum + wh, 0) : null,
    }
  })
}

interface Child {
  readonly kind: 'g' | 'l'
  readonly id: number
  readonly name: string
}

function childrenOf(plant: Plant, { kind, id, project }: Scope): readonly Child[] {
  if (kind === 'p')
    return [...plant.gateways.values()]
      .filter((gateway) => gateway.project === project)
      .map((gateway) => ({ kind: 'g', id: gateway.id, name: gateway.name }))
  const gateway = kind === 'g' ? plant.gateways.get(id) : undefined
  // What a device reports by itself is no line.
  const lines = gateway ? linesBehind(gateway).filter(({ lineNo }) => lineNo > 0) : []
  return lines.map((line) => ({ kind: 'l', id: line.id, name: line.name }))
}

const manyTexts = {
  zh: `下级超过 ${maxReportLines} 个，请选择单个网关`,
  en: `There are more than ${maxReportLines} of them: ask for one gateway`,
}
