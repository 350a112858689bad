import { historyArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { historyJobs } from './jobs.ts'
import { historyRoutes } from './routes.ts'
import { createHistory } from './service.ts'

export const historyArea = serverArea(manifest, { create: createHistory, routes: historyRoutes, jobs: historyJobs })
