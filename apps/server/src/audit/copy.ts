import type { Exposure } from '@linewarden/contract'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { entriesFrom, newestEntry } from '../store/audit/entries.ts'
import type { Database } from '../store/core/database.ts'
import { unlessAway } from '../store/core/database-away.ts'
import type { CopyCheck } from './copy-check.ts'
import { checkCopy, holdCopy } from './copy-check.ts'
import { CopyFolder } from './copy-folder.ts'
import { lineOf } from './copy-line.ts'

export type AuditCopy = ReturnType<typeof createAuditCopy>

const lookEveryMs = 1_000
const lookAgainMs = 60_000
const copiedAtOnce = 500
/** A folder on a machine that has gone keeps nobody from stopping the server. */
const maxClosingMs = 5_000
/** A folder on a machine that has gone may neither take a line nor refuse it. */
const maxAnswerMs = 30_000

interface Written {
  readonly sequence: number
  readonly hash: string
}

/**
 * Appends every committed entry of the audit trail to files outside the database, in order, from where the files end: whoever comes to
 * write into the database cannot take back what stands there. A copy that fails is told and made up for; it stops nothing.
 */
export function createAuditCopy({
  folder: path,
  database,
  clock,
  log,
}: {
  folder: string | null
  database: Database
  clock: () => number
  log: Logger
}) {
  const folder = path === null ? null : new CopyFolder(path)
  let written: Written | null = null
  let isKnown = false
  let failing: { readonly since: number; readonly why: string } | null = null
  let departsAt: number | null = null
  let passing: Promise<void> | null = null
  let brokenAt: string | null = null
  let looking: Promise<void> | null = null
  /** When what stands in the copy could last not be held against the database. */
  let missedAt: number | null = null
  const stopping = new AbortController()
  /** When the pass under way began or last got on. */
  let movedAt = 0
  const failures = new Counter({
    name: 'linewarden_audit_copy_failures_total',
    help: 'Tries to write the copy of the audit trail that failed',
    registers: [],
  })
  const timer = folder && setInterval(() => void pass(), lookEveryMs)
  timer?.unref()

  return {
    /** Writes what has been committed since; also done by itself every second. */
    pass,
    /** Resolves when all that stood in the copy at the first pass is held against the database. */
    looked: async (): Promise<void> => {
      await looking
    },
    metrics:
      folder === null
        ? []
        : [failures, waitingMeasured(database, () => written?.sequence ?? 0), departureMeasured(() => departsAt !== null)],
    /** The copy held against the database; null: there is no copy. */
    check: async (): Promise<CopyCheck | null> =>
      // Each look at a folder that hangs would hold one of the few threads that also check passwords.
      folder &&
      (hangs() ? { Entries: 0, First: null, Last: null, DepartsAt: null, BrokenAt: noAnswer } : checkCopy(folder, database)),
    exposures: (): Exposure[] => [
      ...(failing ? [failureOf(path ?? '', failing)] : []),
      ...(departsAt === null ? [] : [departureOf(departsAt)]),
      ...(brokenAt === null ? [] : [damageOf(path ?? '', brokenAt)]),
    ],
    async close(): Promise<void> {
      if (!folder) return
      if (timer) clearInterval(timer)
      const late = new Promise<void>((resolve) => setTimeout(resolve, maxClosingMs).unref())
      stopping.abort()
      // One pass may be under way that began before the last entry.
      await Promise.race([Promise.all([pass().then(pass), looking]), late])
    },
  }

  function pass(): Promise<void> {
    if (hangs() && !failing) failed(new Error(noAnswer))
    passing ??= copied().finally(() => {
      passing = null
    })
    return passing
  }

  async function copied(): Promise<void> {
    if (!folder) return
    movedAt = clock()
    try {
      if (!isKnown) written = await folder.last()
      isKnown = true
      while (await copyNext(folder)) {}
      if (failing) log.info({ folder: path }, 'the audit trail is copied again')
      failing = null
      const isTime = missedAt === null || Math.abs(clock() - missedAt) >= lookAgainMs
      if (!stopping.signal.aborted && isTime) looking ??= lookThrough(folder)
    } catch (error) {
      // What of it reached the disk is for the files to say.
      isKnown = false
      failed(error)
    }
  }

  /** Once after each start: what was rewritten below the newest entry would be forgotten with the process that found it. */
  async function lookThrough(into: CopyFolder): Promise<void> {
    try {
      const { DepartsAt, BrokenAt } = await holdCopy(into, database, stopping.signal)
      if (DepartsAt !== null) departed(Number(DepartsAt))
      if (BrokenAt !== null) log.error({ line: BrokenAt }, 'the copy of the audit trail is damaged')
      brokenAt = BrokenAt
    } catch (error) {
      if (stopping.signal.aborted) return
      if (missedAt === null) log.error({ err: error }, 'the audit trail is not held against its copy; tried again every minute')
      missedAt = clock()
      looking = null
    }
  }

  function hangs(): boolean {
    return passing !== null && clock() - movedAt > maxAnswerMs
  }

  function failed(error: unknown): void {
    failures.inc()
    const why = error instanceof Error ? error.message : String(error)
    if (!failing) log.error({ err: error, folder: path }, 'the audit trail is not copied; tried again every second')
    failing = { since: failing?.since ?? clock(), why }
  }

  /** Whether there may be more. The entry that was written last is read along: the database must still have it. */
  async function copyNext(into: CopyFolder): Promise<boolean> {
    const last = written
    const entries = await entriesFrom(database.general, last?.sequence ?? 1, copiedAtOnce)
    const next = last ? entries.filter(({ audit_id }) => Number(audit_id) > last.sequence) : entries
    if (last && entries[0]?.hash !== last.hash) departed(last.sequence)
    const newest = next.at(-1)
    if (!newest) return false
    await into.append(next.map(lineOf), clock())
    written = { sequence: Number(newest.audit_id), hash: newest.hash }
    movedAt = clock()
    return entries.length === copiedAtOnce
  }

  function departed(sequence: number): void {
    if (departsAt !== null) return
    departsAt = sequence
    log.error({ sequence }, 'the audit trail in the database departs from its copy')
  }
}

/** `written`: the number of the entry that was copied last; 0 for none. */
const waitingMeasured = (database: Database, written: () => number): Gauge =>
  new Gauge({
    name: 'linewarden_audit_copy_waiting',
    help: 'Entries of the audit trail that are not in its copy yet',
    registers: [],
    async collect() {
      const newest = await unlessAway(newestEntry(database.general))
      // A reset would say 0.
      if (newest === null) this.remove()
      else this.set(Math.max(0, newest - written()))
    },
  })

const departureMeasured = (departs: () => boolean): Gauge =>
  new Gauge({
    name: 'linewarden_audit_copy_departs',
    help: '1: the audit trail in the database is another than in its copy',
    registers: [],
    collect() {
      this.set(departs() ? 1 : 0)
    },
  })

const noAnswer = `no answer for ${maxAnswerMs / 1_000} s`

function failureOf(folder: string, { since, why }: { since: number; why: string }): Exposure {
  const at = new Date(since).toISOString()
  return {
    Kind: 'auditCopy',
    Said: {
      en: `The system log has not been copied to ${folder} since ${at} (${why}). Make room, or give the server's user the right to write there: what is missing is then copied by itself.`,
      zh: `自 ${at} 起，系统日志未能写入副本目录 ${folder}（${why}）。请清理磁盘空间或为服务器用户授予写权限，恢复后会自动补写。`,
    },
  }
}

const departureOf = (sequence: number): Exposure => ({
  Kind: 'auditCopy',
  Said: {
    en: `The system log in the database is no longer the one that was copied (entry ${sequence}): somebody changed it, or an older database was restored. "Verify" on the page System log says from which entry on; see "Copy of the audit trail" in docs/operations.md.`,
    zh: `数据库中的系统日志与副本不一致（第 ${sequence} 条）：可能被改动，或恢复了较早的数据库。请在“系统日志”页点击校验，查看自哪一条起不一致；参见 docs/operations.md 的 “Copy of the audit trail” 一节。`,
  },
})

const damageOf = (folder: string, line: string): Exposure => ({
  Kind: 'auditCopy',
  Said: {
    en: `The copy of the system log in ${folder} is damaged at ${line}: a line was changed, or entries are missing before it. What stands in the database is checked by "Verify" on the page System log; see "Copy of the audit trail" in docs/operations.md.`,
    zh: `副本目录 ${folder} 中的系统日志副本在 ${line} 处损坏：该行被改动，或其前有缺失。可在“系统日志”页点击校验数据库中的日志；参见 docs/operations.md 的 “Copy of the audit trail” 一节。`,
  },
})
