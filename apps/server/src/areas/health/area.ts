import { healthArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { healthReport } from './report.ts'
import { healthRoutes } from './routes.ts'
import { createHealth } from './service.ts'
import { healthSubjects } from './subjects.ts'

export const healthArea = serverArea(manifest, {
  create: createHealth,
  routes: healthRoutes,
  subjects: healthSubjects,
  reports: (health, core) => ({ healthCheck: healthReport(health, core) }),
  close: (health) => health.close(),
})
