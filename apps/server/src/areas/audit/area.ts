import { auditArea as manifest } from '@linewarden/contract'
import { unnamed } from '../../audit/names.ts'
import { serverArea } from '../server-area.ts'
import { startBringingOver } from './bring-over.ts'
import { auditRoutes } from './routes.ts'
import { createAuditTrail } from './service.ts'

export const auditArea = serverArea(manifest, {
  create: createAuditTrail,
  routes: auditRoutes,
  background: startBringingOver,
  subjects: () => ({ nothing: unnamed }),
})
