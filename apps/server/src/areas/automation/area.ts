import { automationArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { automationRoutes } from './routes.ts'
import { createAutomation } from './service.ts'

export const automationArea = serverArea(manifest, {
  create: createAutomation,
  routes: automationRoutes,
})
