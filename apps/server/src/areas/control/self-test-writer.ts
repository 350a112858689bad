import type { Logger } from 'pino'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { StoredSelfTest } from '../../store/control/self-test.ts'
import { insertSelfTest } from '../../store/control/self-test.ts'
import type { Database } from '../../store/core/database.ts'

interface TestRecord {
  readonly test: StoredSelfTest
  readonly audit: AuditEntry
}

interface Deps {
  readonly database: Database
  readonly written: (test: StoredSelfTest) => void
  readonly log: Logger
}

const tryAgainMs = 5_000

/**
 * Writes the records of self-tests, and tries again every few seconds what the database did not take: a failed test whose record is lost would
 * block nothing after a restart. What is not written when the server stops is found by the next start.
 */
export function createSelfTestWriter({ database, written, log }: Deps) {
  const waiting = new Map<string, TestRecord>()
  const writing = new Mutex()
  const loop = every(tryAgainMs, sweep, { log })

  return {
    /** Resolves after the first try. */
    write(record: TestRecord): Promise<void> {
      waiting.set(record.test.commandId, record)
      return sweep()
    },
    /** Tries what waits; runs by itself every few seconds. */
    sweep,
    async close(): Promise<void> {
      await loop.close()
      await writing.settled()
    },
  }

  /** One after the other: the same record is never written by two at once. */
  function sweep(): Promise<void> {
    return writing.run(writeWaiting)
  }

  async function writeWaiting(): Promise<void> {
    for (const { test, audit } of [...waiting.values()])
      try {
        await insertSelfTest(database, test, audit)
        waiting.delete(test.commandId)
        written(test)
      } catch (error) {
        log.error({ err: error, command: test.commandId }, 'a self-test was not recorded; it is tried again')
      }
  }
}
