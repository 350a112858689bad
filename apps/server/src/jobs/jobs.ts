import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from 'pino'
import { faultsCounted } from '../lib/faults.ts'
import type { Database } from '../store/core/database.ts'

interface Deps {
  readonly database: Database
  readonly clock: () => number
  readonly log: Logger
  readonly rawDays: number
  readonly sessionAbsoluteMs: number
}

/** What an area has done in the background, again and again. A failure is tried again by the queue: nothing that moves equipment is one. */
export interface Job {
  readonly task: string
  /** When, as cron says it. */
  readonly match: string
  /** What was due while no server ran, and not longer ago than this, is made up for. Left out: nothing is. */
  readonly backfillMs?: number
  run(deps: Deps & { withClient(work: (client: pg.Client) => Promise<void>): Promise<void> }): Promise<void>
}

/** Starts the background work. It never delays readiness. */
export async function startJobs(jobs: readonly Job[], deps: Deps): Promise<{ close(): Promise<void> }> {
  const { database, log } = deps
  const withClient = async (work: (client: pg.Client) => Promise<void>) => {
    const client = await database.connect()
    await work(client).finally(() => client.end())
  }
  const pgPool = new pg.Pool({ ...database.settings, max: 3 })
  const lost = (error: Error) => log.debug({ reason: error.message }, 'a job connection was lost')
  pgPool.on('error', lost)
  pgPool.on('connect', (client) => client.on('error', lost))
  const runner = await run({
    pgPool,
    concurrency: 1,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => {
      if (level !== 'error') return log.debug(message)
      faultsCounted.inc({ border: 'job' })
      log.error(message)
    }),
    parsedCronItems: parseCronItems(
      jobs.map(({ task, match, backfillMs = 0 }) => ({ task, match, options: { backfillPeriod: backfillMs } })),
    ),
    taskList: Object.fromEntries(jobs.map(({ task, run }) => [task, () => run({ ...deps, withClient })])),
  })
  return {
    async close() {
      await runner.stop()
      await pgPool.end()
    },
  }
}
