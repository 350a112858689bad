import { purgeEndedWork } from '../store/jobs/due-work.ts'
import type { Job } from './jobs.ts'

/** What the runner of long work keeps no longer, whatever area it was for. */
export const endedWork: Job = {
  task: 'purge.endedWork',
  match: '*/10 * * * *',
  run: ({ database, clock }) => purgeEndedWork(database, clock()),
}
