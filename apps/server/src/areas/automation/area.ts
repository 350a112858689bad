import { automationArea as manifest } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { unnamed } from '../../audit/names.ts'
import { purgeExecutions, purgeNear } from '../../store/automation/purge.ts'
import { accountArea } from '../account/area.ts'
import { controlArea } from '../control/area.ts'
import { serverArea } from '../server-area.ts'
import { automationRoutes } from './routes.ts'
import { createAutomation } from './service.ts'
import { linkageSubjects, sceneSubjects, timerSubjects } from './subjects.ts'

export const automationArea = serverArea(manifest, {
  needs: { account: accountArea, control: controlArea },
  create: (core, { account: { accounts }, control }) =>
    createAutomation({
      ...core,
      control,
      actorNow: ({ accountId, sessionId, address }) => accounts.actorOf(accountId, sessionId, address),
    }),
  routes: automationRoutes,
  subjects: (deps) => ({
    timer: timerSubjects(deps),
    scene: sceneSubjects(deps),
    linkage: linkageSubjects(deps),
    automationRun: unnamed,
  }),
  jobs: [
    {
      task: 'purge.automation',
      match: '47 3 * * *',
      backfillMs: dayMs,
      async run({ database, clock }) {
        await purgeNear(database, clock())
        await purgeExecutions(database, clock())
      },
    },
  ],
  close: (automation) => automation.close(),
})
