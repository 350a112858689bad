import { warningArea as manifest } from '@linewarden/contract'
import { purgeDetails } from '../../store/warning/voltage-hour.ts'
import { serverArea } from '../server-area.ts'
import { createWarnings } from './service.ts'

export const warningArea = serverArea(manifest, {
  create: createWarnings,
  routes: () => undefined,
  jobs: [
    {
      task: 'purge.warningDetails',
      match: '23 4 * * *',
      run: ({ withClient, clock }) => withClient((client) => purgeDetails(client, clock())),
    },
  ],
})
