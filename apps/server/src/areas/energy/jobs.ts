import type { Job } from '../../jobs/jobs.ts'
import { makeDueQuarters, makeNewQuarters } from '../../store/energy/due.ts'
import { makeDueMonths } from '../../store/energy/make-months.ts'
import { makeDueProfiles } from '../../store/energy/make-profiles.ts'
import { supplyDays } from './make-supply-days.ts'

/** So long each part may take, so that other background work has its turn: what is left of the past is made bit by bit. */
const maxMs = 20_000

export const energyJobs: readonly Job[] = [
  {
    task: 'energy',
    match: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *',
    run: ({ database, withClient, clock }) =>
      withClient(async (client) => {
        const now = clock()
        const failures: unknown[] = []
        // What one part cannot do keeps none of the others from its turn.
        const { look, make: makeSupplies } = supplyDays(database)
        for (const make of [makeNewQuarters, makeDueQuarters, makeDueProfiles, makeDueMonths, look, makeSupplies]) {
          const begun = performance.now()
          await make(client, now, () => performance.now() - begun > maxMs).catch((error: unknown) => failures.push(error))
        }
        if (failures.length > 0) throw failures[0]
      }),
  },
]
