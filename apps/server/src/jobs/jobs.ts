import { dayMs } from '@linewarden/equipment'
import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from 'pino'
import { faultsCounted } from '../lib/faults.ts'
import { purgeExpired } from '../store/account/session.ts'
import type { Database } from '../store/core/database.ts'
import { rollUpDue } from '../store/history/rollup.ts'
import { rollUpDaysDue } from '../store/history/rollup-day.ts'
import { dayOf, dropPartitionsBefore, makePartition, partitionedDays } from '../store/ingest/partitions.ts'
import { purgeQuarantine } from '../store/ingest/quarantine.ts'
import { purgeEndedWork } from '../store/jobs/due-work.ts'
import { purgePushInbox } from '../store/push/push.ts'

interface Deps {
  readonly database: Database
  readonly clock: () => number
  readonly log: Logger
  readonly rawDays: number
  readonly sessionAbsoluteMs: number
}

/** Starts the background work. It never delays readiness, and a job that fails is tried again by the queue. */
export async function startJobs(deps: Deps): Promise<{ close(): Promise<void> }> {
  const { database, clock, log, rawDays, sessionAbsoluteMs } = deps
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
    parsedCronItems: parseCronItems([
      { task: 'rollup', match: '*/5 * * * *', options: { backfillPeriod: 0 } },
      { task: 'partitions', match: '7 * * * *', options: { backfillPeriod: 0 } },
      { task: 'retention', match: '37 3 * * *', options: { backfillPeriod: dayMs } },
      { task: 'purge', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
    ]),
    taskList: {
      rollup: () =>
        withClient(async (client) => {
          // Days are made even when an hour failed: that hour stays due, and makes its day due again.
          await rollUpDue(client, new Date(clock())).finally(() => rollUpDaysDue(client, new Date(clock())))
        }),
      partitions: () => withClient((client) => partitionsAhead(client, clock())),
      retention: () =>
        withClient(async (client) => {
          // Raw readings go only when their roll-ups are there; a failure here keeps them.
          await rollUpDue(client, new Date(clock()))
          for (const name of await dropPartitionsBefore(client, dayOf(clock()) - rawDays)) log.info(`retention: dropped ${name}`)
        }),
      purge: async () => {
        await purgeExpired(database.general, clock(), sessionAbsoluteMs)
        await purgeQuarantine(database, clock())
        await purgePushInbox(database, clock())
        await purgeEndedWork(database, clock())
      },
    },
  })
  return {
    async close() {
      await runner.stop()
      await pgPool.end()
    },
  }
}

/** Today's partition and the next two days', before the first reading needs them. */
export async function partitionsAhead(client: pg.ClientBase, now: number): Promise<void> {
  const there = await partitionedDays(client)
  const today = dayOf(now)
  for (const day of [today, today + 1, today + 2]) if (!there.has(day)) await makePartition(client, day)
}
