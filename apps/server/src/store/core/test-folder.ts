import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'linewarden-test-'
/** What a cluster grows to, with its log. */
const neededBytes = 6 * 2 ** 30

/**
 * A new folder for a cluster that is thrown away: in memory where there is room, else on the disk. Each test's database is over a thousand files,
 * made and removed again; on a disk that takes two thirds of it.
 */
export function testFolder(): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix))
  removeLeft()
  return mkdtempSync(join(memory, prefix))
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > neededBytes && process.availableMemory() > neededBytes
  } catch {
    return false
  }
}

/** What runs that were killed left in memory, where nothing else would clear it away. */
function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(memory, name)
    const pid = pidIn(join(folder, 'data')) ?? pidIn(join(folder, 'postgres'))
    if (pid === null ? isOld(folder) : !isAlive(pid)) rmSync(folder, { recursive: true, force: true })
  }
}

/** So long nobody takes to start in a new folder. */
const isOld = (folder: string): boolean =>
  Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 600_000

function pidIn(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
