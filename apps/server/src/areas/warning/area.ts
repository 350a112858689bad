import { warningArea as manifest } from '@linewarden/contract'
import { purgeDetails } from '../../store/warning/voltage-hour.ts'
import { serverArea } from '../server-area.ts'
import { warningReport } from './report.ts'
import { warningRoutes } from './routes.ts'
import { createWarnings } from './service.ts'
import { warningSubjects } from './subjects.ts'

export const warningArea = serverArea(manifest, {
  create: createWarnings,
  jobs: [
    {
      task: 'purge.warningDetails',
      match: '23 4 * * *',
      run: ({ withClient, clock }) => withClient((client) => purgeDetails(client, clock())),
    },
  ],
  routes: warningRoutes,
  reports: (warnings, core) => ({ warnings: warningReport(warnings, core) }),
  subjects: warningSubjects,
  close: (warnings) => warnings.close(),
})
