import type { Reply, verifyJournal } from '@linewarden/contract'
import { hashesBetween } from '../store/audit/entries.ts'
import type { Database } from '../store/core/database.ts'
import type { CopyFolder } from './copy-folder.ts'
import type { CopiedEntry } from './copy-line.ts'
import { readLine } from './copy-line.ts'

export type CopyCheck = NonNullable<Reply<typeof verifyJournal>['Copy']>

const comparedAtOnce = 2_000

/**
 * Holds every entry of the copy against the database, and the copy against its own chain; ends at the first that does not fit. An entry that
 * was written twice (after a full disk, or by two servers) is none too many. Rejects when the signal ends it.
 */
export async function checkCopy(folder: CopyFolder, database: Database, signal?: AbortSignal): Promise<CopyCheck> {
  const found = { Entries: 0, First: null as string | null, Last: null as string | null, DepartsAt: null, BrokenAt: null }
  const waiting: { readonly where: string; readonly entry: CopiedEntry }[] = []
  let before: CopiedEntry | null = null

  try {
    for await (const { where, line } of folder.lines()) {
      const entry = readLine(line)
      if (entry) waiting.push({ where, entry })
      if (waiting.length < comparedAtOnce) continue
      const trouble = await compare()
      if (trouble) return { ...found, ...trouble }
    }
    const trouble = await compare()
    return { ...found, ...trouble }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return { ...found, BrokenAt: error.message }
  }

  async function compare(): Promise<Partial<CopyCheck> | null> {
    signal?.throwIfAborted()
    const batch = waiting.splice(0)
    const sequences = batch.map(({ entry }) => entry.sequence)
    if (sequences.length === 0) return null
    const smallest = Math.min(...sequences)
    const largest = Math.max(...sequences)
    const hashes = await hashesBetween(database.general, smallest, largest)
    for (const { where, entry } of batch) {
      if (!entry.isIntact) return { BrokenAt: where }
      if (hashes.get(entry.sequence) !== entry.hash) return { DepartsAt: String(entry.sequence) }
      const isNext = before === null || entry.sequence > before.sequence
      if (before && isNext && (entry.sequence !== before.sequence + 1 || entry.previousHash !== before.hash))
        return { BrokenAt: where }
      if (!isNext) continue
      before = entry
      found.Entries += 1
      found.First ??= String(entry.sequence)
      found.Last = String(entry.sequence)
    }
    return null
  }
}
