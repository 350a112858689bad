import type { Reply, verifyJournal } from '@linewarden/contract'
import { hashesBetween } from '../store/audit/entries.ts'
import type { Database } from '../store/core/database.ts'
import type { CopyFolder } from './copy-folder.ts'
import type { CopiedEntry } from './copy-line.ts'
import { readLine } from './copy-line.ts'

export type CopyCheck = NonNullable<Reply<typeof verifyJournal>['Copy']>

const comparedAtOnce = 2_000

/** The same for whoever asks: what cannot be read of the copy is a place where it is broken. */
export async function checkCopy(folder: CopyFolder, database: Database): Promise<CopyCheck> {
  return compareCopy(folder, database).catch((error) => {
    if (!(error instanceof CopyUnreadable)) throw error
    return { ...error.found, BrokenAt: error.message }
  })
}

class CopyUnreadable extends Error {
  readonly found: CopyCheck

  constructor(found: CopyCheck, cause: Error) {
    super(cause.message, { cause })
    this.found = found
  }
}

/**
 * Compares every entry of the copy with the database, and checks the copy's own chain. Counts up to the first that does not fit; below a
 * damaged line it still looks for the first that the database has otherwise, and there it ends. An entry that was written twice (after a full
 * disk, or by two servers) is none too many. Rejects when the signal ends it, or the copy or the database does not answer.
 */
export async function compareCopy(folder: CopyFolder, database: Database, signal?: AbortSignal): Promise<CopyCheck> {
  const found: { -readonly [Key in keyof CopyCheck]: CopyCheck[Key] } = {
    Entries: 0,
    First: null,
    Last: null,
    DepartsAt: null,
    BrokenAt: null,
  }
  const waiting: { readonly where: string; readonly entry: CopiedEntry }[] = []
  let before: CopiedEntry | null = null
  let isAsking = false

  try {
    for await (const { where, line } of folder.lines()) {
      const entry = readLine(line)
      if (entry) waiting.push({ where, entry })
      if (waiting.length < comparedAtOnce) continue
      await compare()
      if (found.DepartsAt !== null) return found
    }
    await compare()
    return found
  } catch (error) {
    // A connection of the database that failed names a call of the system too.
    throw !isAsking && error instanceof Error && 'syscall' in error ? new CopyUnreadable(found, error) : error
  }

  async function compare(): Promise<void> {
    signal?.throwIfAborted()
    const batch = waiting.splice(0)
    const sequences = batch.map(({ entry }) => entry.sequence)
    if (sequences.length === 0) return
    isAsking = true
    const hashes = await hashesBetween(database.general, Math.min(...sequences), Math.max(...sequences))
    isAsking = false
    for (const { where, entry } of batch) {
      if (!entry.isIntact) {
        found.BrokenAt ??= where
        continue
      }
      if (hashes.get(entry.sequence) !== entry.hash) {
        found.DepartsAt = String(entry.sequence)
        return
      }
      const isNext = before === null || entry.sequence > before.sequence
      if (before && isNext && (entry.sequence !== before.sequence + 1 || entry.previousHash !== before.hash))
        found.BrokenAt ??= where
      if (!isNext) continue
      before = entry
      if (found.BrokenAt !== null) continue
      found.Entries += 1
      found.First ??= String(entry.sequence)
      found.Last = String(entry.sequence)
    }
  }
}
