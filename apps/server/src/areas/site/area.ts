import { siteArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { siteRoutes } from './routes.ts'
import { createSite } from './service.ts'
import { siteSubjects } from './subjects.ts'

export const siteArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account }) => createSite({ ...core, rightsChanged: account.accounts.rightsChanged }),
  routes: siteRoutes,
  subjects: siteSubjects,
})
