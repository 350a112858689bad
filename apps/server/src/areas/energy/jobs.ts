import type pg from 'pg'
import type { Job } from '../../jobs/jobs.ts'
import type { Database } from '../../store/core/database.ts'
import { makeDueQuarters, makeNewQuarters } from '../../store/energy/due.ts'
import { makeDueMonths } from '../../store/energy/make-months.ts'
import { makeDueProfiles } from '../../store/energy/make-profiles.ts'
import { supplyDays } from './make-supply-days.ts'

/** So long each part may take, so that other background work has its turn: what is left of the past is made bit by bit, the latest first. */
const maxMs = 20_000

export const energyJobs: readonly Job[] = [
  {
    task: 'energy',
    match: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *',
    atStart: true,
    run: ({ database, withClient, clock }) =>
      withClient(async (client) => ((await makeEnergy(database, client, clock(), maxMs)) === 'left' ? 'more' : undefined)),
  },
]

/** Makes quarters, days and months of energy that are due, and those of supplies, each for so long at most, ms. Answers whether something was left. */
export async function makeEnergy(
  database: Database,
  client: pg.ClientBase,
  now: number,
  partMs: number,
): Promise<'left' | 'done'> {
  const failures: unknown[] = []
  let isLeft = false
  // What one part cannot do keeps none of the others from its turn.
  const { look, make: makeSupplies } = supplyDays(database)
  for (const make of [makeNewQuarters, makeDueQuarters, makeDueProfiles, makeDueMonths, look, makeSupplies]) {
    const begun = performance.now()
    const isEnough = () => {
      const isOver = performance.now() - begun > partMs
      isLeft ||= isOver
      return isOver
    }
    await make(client, now, isEnough).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return isLeft ? 'left' : 'done'
}
