import type { Runner } from 'graphile-worker'
import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from 'pino'
import { every } from '../lib/every.ts'
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

const startAgainMs = 1_000

/** Starts the background work, and again for as long as the database is away or whenever it came to an end. It never delays readiness. */
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
  const options = {
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
  }
  let runner: Runner | null = null
  const start = async () => {
    if (runner !== null) return
    const started = await run(options)
    runner = started
    const ended = () => {
      runner = null
    }
    void started.promise.then(ended, ended)
  }
  const starting = every(startAgainMs, start, { log, failed: 'background work could not be started; it is tried again' })
  await starting.tick()
  return {
    async close() {
      await starting.close()
      try {
        await runner?.stop()
      } finally {
        await pgPool.end()
      }
    },
  }
}
