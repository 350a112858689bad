import { workorderArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { workOrderReport } from './report.ts'
import { workOrderRoutes } from './routes.ts'
import { createWorkOrders } from './service.ts'
import { workOrderSubjects } from './subjects.ts'

export const workorderArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account: { accounts } }) =>
    createWorkOrders({ ...core, actorNow: (accountId) => accounts.actorOf(accountId, '', '') }),
  routes: workOrderRoutes,
  subjects: workOrderSubjects,
  reports: (orders, core) => ({ workOrders: workOrderReport(orders, core) }),
  close: (orders) => orders.close(),
})
