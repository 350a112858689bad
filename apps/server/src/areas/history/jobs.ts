import { dayMs } from '@linewarden/equipment'
import type { Job } from '../../jobs/jobs.ts'
import { rollUpDue } from '../../store/history/rollup.ts'
import { rollUpDaysDue } from '../../store/history/rollup-day.ts'
import { dayOf, dropPartitionsBefore } from '../../store/ingest/partitions.ts'

export const historyJobs: readonly Job[] = [
  {
    task: 'rollup',
    match: '*/5 * * * *',
    run: ({ withClient, clock }) =>
      withClient(async (client) => {
        // Days are made even when an hour failed: that hour stays due, and makes its day due again.
        await rollUpDue(client, new Date(clock())).finally(() => rollUpDaysDue(client, new Date(clock())))
      }),
  },
  {
    task: 'retention',
    match: '37 3 * * *',
    backfillMs: dayMs,
    run: ({ withClient, clock, rawDays, log }) =>
      withClient(async (client) => {
        // Raw readings go only when their roll-ups are there; a failure here keeps them.
        await rollUpDue(client, new Date(clock()))
        for (const name of await dropPartitionsBefore(client, dayOf(clock()) - rawDays)) log.info(`retention: dropped ${name}`)
      }),
  },
]
