import { controlArea as manifest } from '@linewarden/contract'
import { unnamed } from '../../audit/names.ts'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { settingsArea } from '../settings/area.ts'
import { controlRoutes } from './routes.ts'
import { createControl } from './service.ts'

export const controlArea = serverArea(manifest, {
  needs: { account: accountArea, settings: settingsArea },
  create: (core, { account: { accounts }, settings }) =>
    createControl({
      ...core,
      grants: accounts.grants,
      confirmAboveLines: core.config.confirmAboveLines,
      unconfirmed: settings.unconfirmed,
      actorNow: ({ accountId, sessionId, address }) => accounts.actorOf(accountId, sessionId, address),
    }),
  routes: controlRoutes,
  subjects: () => ({ run: unnamed, operation: unnamed }),
  close: (control) => control.close(),
})
