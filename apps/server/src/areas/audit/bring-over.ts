import type { Logger } from 'pino'
import { every } from '../../lib/every.ts'
import { bringOverSubjects } from '../../store/audit/bring-over.ts'
import type { Database } from '../../store/core/database.ts'

const againMs = 60_000

/**
 * Fills in what entries from before migration 0080 are about, the newest first, batch by batch, until all are done or it is told to stop.
 * A failure is logged, and it goes on where it was a minute later.
 */
export function startBringingOver({ database, clock, log }: { database: Database; clock: () => number; log: Logger }) {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let isStopping = false
  let batches = 0
  const loop = every(againMs, bringOver, { log, failed: 'the log is not brought over; tried again every minute', unref: true })
  void loop.tick()
  return {
    /** Resolves when nothing is left to bring over, or it was stopped. */
    done,
    /** One more try now. */
    tick: loop.tick,
    async close() {
      isStopping = true
      await loop.close()
      resolve()
    },
  }

  async function bringOver(): Promise<void> {
    while (!isStopping && (await bringOverSubjects(database, clock()))) batches += 1
    if (batches > 0)
      log.info({ batches }, isStopping ? 'the log is brought over in part; the next start goes on' : 'the log is brought over')
    if (isStopping) return
    void loop.close()
    resolve()
  }
}
