import { peopleArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { peopleRoutes } from './routes.ts'
import { createAdministration } from './service.ts'
import { peopleSubjects } from './subjects.ts'

export const peopleArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account }) => createAdministration({ ...core, accounts: account.accounts }),
  routes: peopleRoutes,
  subjects: peopleSubjects,
  close: ({ partner }) => partner.close(),
})
