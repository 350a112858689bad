import { warningArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { createWarnings } from './service.ts'

export const warningArea = serverArea(manifest, {
  create: createWarnings,
  routes: () => undefined,
})
