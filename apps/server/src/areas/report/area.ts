import { reportArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { deviceDataReport } from './device-data-report.ts'
import { mountRecipientPage } from './recipient-page.ts'
import { reportRoutes } from './routes.ts'
import { createScheduled } from './scheduled.ts'
import { createReport } from './service.ts'

export const reportArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account }) => {
    const scheduled = createScheduled(core, account.accounts)
    // Its first round comes seconds later, when every area has brought its reports.
    scheduled.postman.start()
    return { ...createReport(core), scheduled }
  },
  routes: reportRoutes,
  publicRoutes: (app, { scheduled: { recipients, clock } }) => mountRecipientPage(app, { recipients, clock }),
  reports: (_, core) => ({ deviceData: deviceDataReport(core) }),
  close: ({ scheduled }) => scheduled.postman.close(),
})
