import type { Runner, Task } from 'graphile-worker'
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
  /** What is due when a server starts is begun then, and not only when `match` says so. */
  readonly atStart?: true
  /** When it answers `more`, what is left is gone on with after a rest, so that other work, and ingest, have their turn. */
  run(deps: JobDeps): Promise<unknown>
}

type JobDeps = Deps & { withClient<R>(work: (client: pg.Client) => Promise<R>): Promise<R> }

export interface Jobs {
  /** Runs one at once, besides its times. */
  begin(task: string): Promise<void>
  close(): Promise<void>
}

const startAgainMs = 1_000

/** Starts the background work, and again for as long as the database is away or whenever it came to an end. It never delays readiness. */
export async function startJobs(jobs: readonly Job[], deps: Deps): Promise<Jobs> {
  const { database, log } = deps
  const withClient = async <R>(work: (client: pg.Client) => Promise<R>) => {
    const client = await database.connect()
    return work(client).finally(() => client.end())
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
    taskList: Object.fromEntries(jobs.map((job) => [job.task, taskOf(job, { ...deps, withClient })])),
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
    for (const { task, atStart } of jobs) if (atStart) await started.addJob(task, {}, { jobKey: `${task} begun` })
  }
  const starting = every(startAgainMs, start, { log, failed: 'background work could not be started; it is tried again' })
  await starting.tick()
  return {
    async begin(task) {
      await runner?.addJob(task, {}, { jobKey: `${task} begun` })
    },
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

/** It rests for as long as it worked. */
const taskOf =
  ({ task, run }: Job, deps: JobDeps): Task =>
  async (_, { addJob }) => {
    const begun = performance.now()
    if ((await run(deps)) !== 'more') return
    const runAt = new Date(Date.now() + performance.now() - begun)
    await addJob(task, {}, { jobKey: `${task} goes on`, runAt })
  }
