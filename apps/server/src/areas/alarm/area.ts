import { alarmArea as manifest } from '@linewarden/contract'
import { forgetAnnouncements } from '../../store/alarm/announcement.ts'
import { purgeEvidence } from '../../store/alarm/evidence.ts'
import { serverArea } from '../server-area.ts'
import { alarmReport } from './report.ts'
import { alarmRoutes } from './routes.ts'
import { createAlarms } from './service.ts'
import { rationaleReport } from './sheet-report.ts'
import { alarmSubjects } from './subjects.ts'

/** Whoever was away longer than this is told by the lists, not by the poll. */
const announcedMs = 7 * 86_400_000

export const alarmArea = serverArea(manifest, {
  create: createAlarms,
  routes: alarmRoutes,
  close: (alarms) => alarms.close(),
  subjects: alarmSubjects,
  reports: (alarms, core) => ({ alarms: alarmReport(core), alarmRationales: rationaleReport(alarms) }),
  jobs: [
    {
      task: 'purge.announcements',
      match: '47 3 * * *',
      run: ({ database, clock }) => forgetAnnouncements(database, new Date(clock() - announcedMs)),
    },
    {
      task: 'purge.evidence',
      match: '53 3 * * *',
      run: async ({ database, clock }) => void (await purgeEvidence(database, clock())),
    },
  ],
})
