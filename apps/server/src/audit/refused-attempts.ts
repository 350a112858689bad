import type { AuditAction, MessageKey } from '@linewarden/contract'
import { aboutNothing } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { Logger } from 'pino'
import { every } from '../lib/every.ts'
import { Mutex } from '../lib/serial.ts'
import { throttle } from '../lib/throttle.ts'
import type { AuditEntry } from '../store/audit/append.ts'
import { appendRefusal } from '../store/audit/append.ts'
import type { Database } from '../store/core/database.ts'

export type RefusedAttempts = ReturnType<typeof createRefusedAttempts>

/** Of one kind the log has the first, and then one line for so long. */
const logEveryMs = 15 * 60_000
const flushMs = 60_000

interface RefusedAttempt {
  readonly action: Extract<AuditAction, 'login.refused' | 'session.refused' | 'session.denied' | 'gateway.refused'>
  readonly why: MessageKey | 'gateway unknown' | 'gateway refused'
  readonly address: string
  /** The account or gateway it named, where there is such a one; null: anybody's guess. */
  readonly about: Pick<AuditEntry, 'subject' | 'target'> | null
  /** In whose log it stands; null: the platform's. */
  readonly tenant: string | null
  /** The name of the call, where somebody who had signed was refused; of many the latest. */
  readonly call?: string
}

/**
 * What was refused to whoever may try a thousand times a second: of each account or gateway and network the first, and then a count. It
 * holds nobody up: what is to be written is written behind the answer.
 */
export function createRefusedAttempts({ database, clock, log }: { database: Database; clock: () => number; log: Logger }) {
  // One after the other: a count stands below the line that it counts on from.
  const writing = new Mutex()
  const refusals = throttle<RefusedAttempt>(logEveryMs, clock, (...attempt) => writing.run(() => append(...attempt)))
  const notWritten = 'refused attempts could not be written down'
  const failed = (error: unknown) => log.warn({ err: error }, notWritten)
  const loop = every(flushMs, () => refusals.flush(), { log, failed: notWritten, level: 'warn' })

  return {
    note(attempt: RefusedAttempt): void {
      const { action, why, address, about } = attempt
      refusals
        .note(`${action} ${about ? `${about.subject.kind} ${about.subject.id}` : ''}`, `${why} ${networkOf(address)}`, attempt)
        .catch(failed)
    },
    /** Writes down what was counted so far; resolves when all of it stands in the log. */
    async flush(): Promise<void> {
      await refusals.flush(true)
      await writing.settled()
    },
    async close(): Promise<void> {
      await loop.close()
      await refusals.flush(true).catch(failed)
      await writing.settled()
    },
  }

  /** `more`: so many of the kind since the last line. */
  async function append({ action, why, address, about, tenant, call }: RefusedAttempt, at: number, more: number): Promise<void> {
    log.warn({ action, why, address, about: about?.subject, call, more }, 'refused')
    const subject = about ?? { subject: aboutNothing }
    const entry = { at, actor: 'system', address, action, ...subject, tenant, outcome: 'refused' } as const
    await appendRefusal(database.general, {
      ...entry,
      after: { why, ...(call !== undefined && { call }), ...(more > 0 && { more }) },
    })
  }
}
