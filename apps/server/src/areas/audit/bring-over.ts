import type { Logger } from 'pino'
import { caught } from '../../lib/faults.ts'
import { bringOverSubjects } from '../../store/audit/bring-over.ts'
import type { Database } from '../../store/core/database.ts'

/** Fills in what entries from before migration 0080 are about, the newest first, batch by batch, until all are done or it is told to stop. */
export function startBringingOver({ database, clock, log }: { database: Database; clock: () => number; log: Logger }) {
  let isStopping = false
  const done = bringOver().catch((error) => caught(log, 'job', error))
  return {
    done,
    async close() {
      isStopping = true
      await done
    },
  }

  async function bringOver(): Promise<void> {
    let batches = 0
    while (!isStopping && (await bringOverSubjects(database, clock()))) batches += 1
    if (batches > 0)
      log.info({ batches }, isStopping ? 'the log is brought over in part; the next start goes on' : 'the log is brought over')
  }
}
