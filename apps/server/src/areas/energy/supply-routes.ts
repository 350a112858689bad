import { insertSupply, listSupplies, updateSupply } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Supplies } from './supplies.ts'

export function supplyRoutes(serve: Serve, supplies: Supplies): void {
  serve(listSupplies, ({ actor, project }) => supplies.list(actor, project))
  serve(insertSupply, ({ actor, project, body }) => supplies.insert(actor, project, body))
  serve(updateSupply, ({ actor, project, body }) => supplies.update(actor, project, body))
}
