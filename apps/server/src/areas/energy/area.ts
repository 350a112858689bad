import { energyArea as manifest } from '@linewarden/contract'
import type { Background } from '../server-area.ts'
import { serverArea } from '../server-area.ts'
import { createBalances } from './balance.ts'
import { startBudgetNotices } from './budget-notices.ts'
import { budgetRoutes } from './budget-routes.ts'
import { createBudgets } from './budgets.ts'
import { createCarbons } from './carbon.ts'
import { createCostExport } from './cost-export.ts'
import { fixRoutes } from './fix-routes.ts'
import { createFixes } from './fixes.ts'
import { createFlows } from './flow.ts'
import { flowRoutes } from './flow-routes.ts'
import { createHandReadings } from './hand-readings.ts'
import { energyJobs } from './jobs.ts'
import { createLoads } from './load.ts'
import { meterRoutes } from './meter-routes.ts'
import { createMeters } from './meters.ts'
import { createOrigins } from './origin.ts'
import { createPowerFactors } from './power-factors.ts'
import { createPrices } from './prices.ts'
import { createEnergyReport } from './report.ts'
import { energyRoutes } from './routes.ts'
import { createRunnings } from './running.ts'
import { energyReport } from './scheduled-report.ts'
import { createEnergy } from './service.ts'
import { createStatementBills } from './statement-bills.ts'
import { startStatementFaults } from './statement-checks.ts'
import { createStatementExport } from './statement-export.ts'
import { statementJob } from './statement-job.ts'
import { createStatementLists } from './statement-list.ts'
import { statementReport } from './statement-report.ts'
import { statementRoutes } from './statement-routes.ts'
import { createStatements } from './statements.ts'
import { createSupplies } from './supplies.ts'
import { createSupplyBills } from './supply-bill.ts'
import { supplyRoutes } from './supply-routes.ts'
import { createTariffImports } from './tariff-import.ts'
import { createTariffPreviews } from './tariff-preview.ts'
import { tariffRoutes } from './tariff-routes.ts'
import { createTariffs } from './tariffs.ts'

import { createVirtualMeters } from './virtual-meters.ts'
import { virtualRoutes } from './virtual-routes.ts'

export const energyArea = serverArea(manifest, {
  create: (core) => ({
    ...withOrigins(core),
    ...{ loads: createLoads(core), report: createEnergyReport(core), runnings: createRunnings(core) },
    ...{ supplies: createSupplies(core), bills: createSupplyBills(core), powerFactors: createPowerFactors(core) },
    ...{ costExport: createCostExport(core), meters: createMeters(core), fixes: createFixes(core) },
    handReadings: createHandReadings(core),
    virtualMeters: createVirtualMeters(core),
    ...{ balances: createBalances(core), flows: createFlows(core) },
    ...{ tariffs: createTariffs(core), previews: createTariffPreviews(core), prices: createPrices(core) },
    imports: createTariffImports(core),
    ...{ carbons: createCarbons(core), budgets: createBudgets(core) },
    ...{ statements: createStatements(core), statementLists: createStatementLists(core) },
    ...{ statementExport: createStatementExport(core), statementBills: createStatementBills(core) },
  }),
  routes: (serve, parts) => {
    const { energy, loads, report, bills, supplies, powerFactors, costExport, tariffs, previews, prices, carbons, imports } =
      parts
    energyRoutes(serve, { energy, loads, origins: parts.origins, runnings: parts.runnings, report, bills })
    flowRoutes(serve, parts.balances, parts.flows)
    supplyRoutes(serve, { supplies, powerFactors, costExport })
    meterRoutes(serve, parts.meters)
    fixRoutes(serve, parts.fixes, parts.handReadings)
    virtualRoutes(serve, parts.virtualMeters)
    budgetRoutes(serve, parts.budgets)
    tariffRoutes(serve, { tariffs, previews, prices, carbons, imports })
    statementRoutes(serve, parts)
  },
  jobs: [...energyJobs, statementJob],
  background: (core) => both(startStatementFaults(core), startBudgetNotices(core)),
  reports: ({ energy, flows, statementLists }, core) => ({
    energy: energyReport(energy, flows, core),
    statements: statementReport(statementLists, core),
  }),
})

/** Where a figure comes from is asked of what makes it. */
function withOrigins(core: Parameters<typeof createEnergy>[0]) {
  const energy = createEnergy(core)
  return { energy, origins: createOrigins(core, energy) }
}

function both(one: Background, other: Background): Background {
  return {
    done: Promise.all([one.done, other.done]).then(() => undefined),
    close: async () => {
      await Promise.all([one.close(), other.close()])
    },
  }
}
