import type { MessageKey } from '@linewarden/contract'
import { aboutPush } from '@linewarden/contract'
import type { Logger } from 'pino'
import { every } from '../../lib/every.ts'
import { sequential } from '../../lib/sequential.ts'
import { throttle } from '../../lib/throttle.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import { countRefused } from '../../store/push/push.ts'

interface Refused {
  readonly pushId: number
  readonly projectId: number
  readonly tenant: string | null
  readonly platform: string
  readonly key: MessageKey
  readonly address: string
}

const flushMs = 2_000
const auditEveryMs = 10 * 60_000

/**
 * Counts and audits refused pushes. Who pushes wrongly may do so a thousand times a second: counts are written every two seconds, and the log
 * has the first refusal of a kind at once and then one line for ten minutes of them.
 */
export function createRefusals({ database, clock, log }: { database: Database; clock: () => number; log: Logger }) {
  const counts = new Map<number, { count: number; last: string; at: number }>()
  const audited = throttle(auditEveryMs, clock, audit)
  const notWritten = 'refused pushes could not be written down; it will be tried again'
  const loop = every(flushMs, () => flush(), { log, failed: notWritten, level: 'warn' })

  return {
    async note(refused: Refused): Promise<void> {
      // What was merely sent again is counted where it was found.
      if (refused.key !== 'push duplicate') {
        const before = counts.get(refused.pushId)
        counts.set(refused.pushId, { count: (before?.count ?? 0) + 1, last: refused.key, at: clock() })
      }
      // Of strangers only one kind, wherever they come from: from ever new addresses they could fill the log with others.
      const from = refused.key === 'push signature wrong' ? '' : refused.address
      await audited.note(`${refused.pushId} ${refused.key}`, from, refused)
    },
    flush,
    async close(): Promise<void> {
      await loop.close()
      await flush(true).catch((error) => log.warn({ err: error }, notWritten))
    },
  }

  async function flush(isLast = false): Promise<void> {
    await sequential([
      ...[...counts.keys()].map((pushId) => () => writeCount(pushId)),
      // Whatever becomes of the counts: what was refused belongs in the log.
      () => audited.flush(isLast),
    ])
  }

  async function writeCount(pushId: number): Promise<void> {
    const refused = counts.get(pushId)
    if (!refused) return
    counts.delete(pushId)
    await countRefused(database, pushId, refused).catch((error) => {
      const since = counts.get(pushId)
      counts.set(pushId, since ? { ...since, count: since.count + refused.count } : refused)
      throw error
    })
  }

  /** `more`: so many of the kind since the last line. */
  async function audit({ pushId, projectId, tenant, platform, key, address }: Refused, at: number, more: number): Promise<void> {
    await appendRefusal(database.general, {
      at,
      actor: `push:${platform}`,
      address,
      action: 'push.receive',
      subject: aboutPush(projectId, pushId),
      after: { why: key, ...(more > 0 && { more }) },
      outcome: 'refused',
      tenant,
    })
  }
}
