import { ingestArea as manifest } from '@linewarden/contract'
import { purgeQuarantine } from '../../store/ingest/quarantine.ts'
import { serverArea } from '../server-area.ts'
import { partitionsAhead } from './partitions-ahead.ts'
import { ingestRoutes } from './routes.ts'
import { createIngestReports } from './service.ts'

export const ingestArea = serverArea(manifest, {
  create: createIngestReports,
  routes: ingestRoutes,
  jobs: [
    {
      task: 'partitions',
      match: '7 * * * *',
      run: ({ withClient, clock }) => withClient((client) => partitionsAhead(client, clock())),
    },
    { task: 'purge.quarantine', match: '*/10 * * * *', run: ({ database, clock }) => purgeQuarantine(database, clock()) },
  ],
})
