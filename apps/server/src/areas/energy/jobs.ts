import type { Job } from '../../jobs/jobs.ts'
import { makeDueQuarters, makeNewQuarters } from '../../store/energy/due.ts'
import { makeDueMonths } from '../../store/energy/make-months.ts'
import { makeDueProfiles } from '../../store/energy/make-profiles.ts'

/** What is left of the past is made bit by bit, so that other background work has its turn. */
const maxMs = 20_000

export const energyJobs: readonly Job[] = [
  {
    task: 'energy',
    match: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *',
    run: ({ withClient, clock }) =>
      withClient(async (client) => {
        const now = clock()
        const begun = performance.now()
        const enough = () => performance.now() - begun > maxMs
        await makeNewQuarters(client, now)
        // What is there is summed even when something of the past could not be made.
        await makeDueQuarters(client, now, enough).finally(() => makeDueProfiles(client, now))
        await makeDueMonths(client, now, enough)
      }),
  },
]
