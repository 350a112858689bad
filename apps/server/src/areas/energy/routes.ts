import { getEnergy, getSupplyBill, listLoad } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Loads } from './load.ts'
import type { Energy } from './service.ts'
import type { SupplyBills } from './supply-bill.ts'

export function energyRoutes(serve: Serve, energy: Energy, loads: Loads, bills: SupplyBills): void {
  serve(getEnergy, ({ actor, query }) => energy.read(actor, query))
  serve(listLoad, ({ actor, body }) => loads.list(actor, body))
  serve(getSupplyBill, ({ actor, project, query }) => bills.read(actor, project, query))
}
