import { access, constants, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { livingPostmaster } from '../embedded/postmaster.ts'

const memory = '/dev/shm'
const prefix = 'linewarden-test-'
/** What a cluster grows to, with its log. */
const neededBytes = 6 * 2 ** 30

/**
 * A new folder for a cluster that is thrown away: in memory where there is room, else on the disk. Each test's database is over a thousand files,
 * made and removed again; on a disk that takes two thirds of it.
 */
export async function testFolder(): Promise<string> {
  if (!(await hasRoom())) return mkdtemp(join(tmpdir(), prefix))
  await removeLeft()
  return mkdtemp(join(memory, prefix))
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK)
    const { bavail, bsize } = await statfs(memory)
    return bavail * bsize > neededBytes && process.availableMemory() > neededBytes
  } catch {
    return false
  }
}

/** What runs that were killed left in memory, where nothing else would clear it away. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(memory)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(memory, name)
    if (await isInUse(folder)) continue
    // Another user's is not ours to remove.
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** So long nobody takes to start in a new folder. */
const startsWithinMs = 600_000

async function isInUse(folder: string): Promise<boolean> {
  for (const cluster of ['data', 'postgres']) if ((await livingPostmaster(join(folder, cluster))) !== null) return true
  const made = await stat(folder).catch(() => null)
  return made !== null && Date.now() - made.mtimeMs < startsWithinMs
}
