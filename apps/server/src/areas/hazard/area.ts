import { hazardArea as manifest } from '@linewarden/contract'
import { countDueSteps } from '../../store/hazard/count.ts'
import { serverArea } from '../server-area.ts'
import { hazardReport } from './report.ts'
import { hazardRoutes } from './routes.ts'
import { createHazards } from './service.ts'
import { statisticsReport } from './statistics-report.ts'
import { hazardSubjects } from './subjects.ts'

export const hazardArea = serverArea(manifest, {
  create: createHazards,
  routes: hazardRoutes,
  subjects: hazardSubjects,
  reports: (hazards, core) => ({
    hazards: hazardReport(hazards, core),
    alarmStatistics: statisticsReport(hazards, core),
  }),
  close: (hazards) => hazards.close(),
  jobs: [
    {
      task: 'events.count',
      match: '* * * * *',
      run: ({ withClient }) => withClient(async (client) => void (await countDueSteps(client))),
    },
  ],
})
