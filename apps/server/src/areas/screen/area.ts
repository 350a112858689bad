import { screenArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { screenRoutes } from './routes.ts'
import { createTopologies } from './topology.ts'

export const screenArea = serverArea(manifest, { create: createTopologies, routes: screenRoutes })
