import { settingsArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { settingsRoutes } from './routes.ts'
import { createSettings } from './service.ts'
import { settingsSubjects } from './subjects.ts'

export const settingsArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account }) => createSettings({ ...core, grants: account.accounts.grants }),
  routes: settingsRoutes,
  subjects: settingsSubjects,
  close: (settings) => settings.close(),
})
