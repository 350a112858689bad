import { getEnergy, getOrigin, getRunning, getSupplyBill, listLoad, reportEnergy } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Loads } from './load.ts'
import type { Origins } from './origin.ts'
import type { EnergyReport } from './report.ts'
import type { Runnings } from './running.ts'
import type { Energy } from './service.ts'
import type { SupplyBills } from './supply-bill.ts'

interface Parts {
  readonly energy: Energy
  readonly loads: Loads
  readonly origins: Origins
  readonly runnings: Runnings
  readonly report: EnergyReport
  readonly bills: SupplyBills
}

export function energyRoutes(serve: Serve, { energy, loads, origins, runnings, report, bills }: Parts): void {
  serve(getEnergy, ({ actor, query }) => energy.read(actor, query))
  serve(getOrigin, ({ actor, query }) => origins.read(actor, query))
  serve(getRunning, ({ actor, query }) => runnings.read(actor, query))
  serve(listLoad, ({ actor, body }) => loads.list(actor, body))
  serve(reportEnergy, ({ actor, body }) => report.read(actor, body))
  serve(getSupplyBill, ({ actor, project, query }) => bills.read(actor, project, query))
}
