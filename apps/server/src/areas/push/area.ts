import { pushArea as manifest } from '@linewarden/contract'
import { purgePushInbox } from '../../store/push/push.ts'
import { accountArea } from '../account/area.ts'
import { serverArea } from '../server-area.ts'
import { pushRoutes } from './routes.ts'
import { createPush } from './service.ts'
import { pushSubjects } from './subjects.ts'

export const pushArea = serverArea(manifest, {
  needs: { account: accountArea },
  create: (core, { account }) => createPush({ ...core, seal: account.accounts.sealFor('push secrets') }),
  routes: pushRoutes,
  publicRoutes: (app, push) => push.mountWebhook(app),
  subjects: pushSubjects,
  jobs: [
    {
      task: 'purge.pushInbox',
      match: '*/10 * * * *',
      run: ({ database, clock }) => purgePushInbox(database, clock()),
    },
  ],
  close: (push) => push.close(),
})
