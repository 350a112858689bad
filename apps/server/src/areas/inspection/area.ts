import { inspectionArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { workorderArea } from '../workorder/area.ts'
import { inspectionRoutes } from './routes.ts'
import { createInspection } from './service.ts'
import { inspectionSubjects } from './subjects.ts'

export const inspectionArea = serverArea(manifest, {
  needs: { account: accountArea, workorder: workorderArea },
  create: (core, { account: { accounts }, workorder }) =>
    createInspection({
      ...core,
      ...{ actorNow: (accountId) => accounts.actorOf(accountId, '', ''), orders: workorder },
    }),
  routes: inspectionRoutes,
  subjects: inspectionSubjects,
  close: (inspection) => inspection.close(),
})
