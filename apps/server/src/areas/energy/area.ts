import { energyArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { energyJobs } from './jobs.ts'
import { energyRoutes } from './routes.ts'
import { createEnergy } from './service.ts'
import { createSupplies } from './supplies.ts'
import { createSupplyBills } from './supply-bill.ts'
import { supplyRoutes } from './supply-routes.ts'
import { createTariffPreviews } from './tariff-preview.ts'
import { tariffRoutes } from './tariff-routes.ts'
import { createTariffs } from './tariffs.ts'

export const energyArea = serverArea(manifest, {
  create: (core) => ({
    ...{ energy: createEnergy(core), supplies: createSupplies(core), bills: createSupplyBills(core) },
    ...{ tariffs: createTariffs(core), previews: createTariffPreviews(core) },
  }),
  routes: (serve, { energy, supplies, bills, tariffs, previews }) => {
    energyRoutes(serve, energy, bills)
    supplyRoutes(serve, supplies)
    tariffRoutes(serve, tariffs, previews)
  },
  jobs: energyJobs,
})
