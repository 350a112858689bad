import { firmwareArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { firmwareRoutes } from './routes.ts'
import { createFirmware } from './service.ts'
import { firmwareSubjects } from './subjects.ts'

export const firmwareArea = serverArea(manifest, {
  create: createFirmware,
  routes: firmwareRoutes,
  subjects: firmwareSubjects,
  close: (firmware) => firmware.close(),
})
