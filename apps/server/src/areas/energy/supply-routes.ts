import { exportCost, insertSupply, listSupplies, setPowerFactor, updateSupply } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { CostExport } from './cost-export.ts'
import type { PowerFactors } from './power-factors.ts'
import type { Supplies } from './supplies.ts'

interface Parts {
  readonly supplies: Supplies
  readonly powerFactors: PowerFactors
  readonly costExport: CostExport
}

export function supplyRoutes(serve: Serve, { supplies, powerFactors, costExport }: Parts): void {
  serve(exportCost, ({ actor, project, body }) => costExport.prepare(actor, project, body))
  serve(listSupplies, ({ actor, project }) => supplies.list(actor, project))
  serve(insertSupply, ({ actor, project, body }) => supplies.insert(actor, project, body))
  serve(setPowerFactor, ({ actor, project, body }) => powerFactors.set(actor, project, body))
  serve(updateSupply, ({ actor, project, body }) => supplies.update(actor, project, body))
}
