import { healthArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { healthRoutes } from './routes.ts'
import { createHealth } from './service.ts'
import { healthSubjects } from './subjects.ts'

export const healthArea = serverArea(manifest, {
  create: createHealth,
  routes: healthRoutes,
  subjects: healthSubjects,
  close: (health) => health.close(),
})
