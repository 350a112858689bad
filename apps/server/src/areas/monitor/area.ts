import { monitorArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { monitorRoutes } from './routes.ts'
import { createMonitor } from './service.ts'

export const monitorArea = serverArea(manifest, { create: createMonitor, routes: monitorRoutes })
