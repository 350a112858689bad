import { hazardArea as manifest } from '@linewarden/contract'
import { countDueSteps } from '../../store/hazard/count.ts'
import { serverArea } from '../server-area.ts'
import { hazardRoutes } from './routes.ts'
import { createHazards } from './service.ts'
import { hazardSubjects } from './subjects.ts'

export const hazardArea = serverArea(manifest, {
  create: createHazards,
  routes: hazardRoutes,
  subjects: hazardSubjects,
  close: (hazards) => hazards.close(),
  jobs: [
    {
      task: 'events.count',
      match: '* * * * *',
      run: ({ withClient }) => withClient(async (client) => void (await countDueSteps(client))),
    },
  ],
})
