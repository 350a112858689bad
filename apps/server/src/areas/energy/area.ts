import { energyArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { energyJobs } from './jobs.ts'
import { energyRoutes } from './routes.ts'
import { createEnergy } from './service.ts'

export const energyArea = serverArea(manifest, { create: createEnergy, routes: energyRoutes, jobs: energyJobs })
