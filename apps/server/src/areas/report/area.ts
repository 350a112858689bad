import { reportArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { reportRoutes } from './routes.ts'
import { createReport } from './service.ts'

export const reportArea = serverArea(manifest, { create: createReport, routes: reportRoutes })
