import { getEnergy, getSupplyBill } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Energy } from './service.ts'
import type { SupplyBills } from './supply-bill.ts'

export function energyRoutes(serve: Serve, energy: Energy, bills: SupplyBills): void {
  serve(getEnergy, ({ actor, query }) => energy.read(actor, query))
  serve(getSupplyBill, ({ actor, project, query }) => bills.read(actor, project, query))
}
