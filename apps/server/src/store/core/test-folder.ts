import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
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

/** What killed runs left in memory, where nothing else would clear it away. */
function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix)) continue
    const pids = ['data', 'postgres'].flatMap((data) => pidIn(join(memory, name, data, 'postmaster.pid')))
    if (pids.length > 0 && pids.every((pid) => !isAlive(pid))) rmSync(join(memory, name), { recursive: true, force: true })
  }
}

function pidIn(file: string): readonly number[] {
  try {
    return [Number.parseInt(readFileSync(file, 'utf8'), 10)]
  } catch {
    return []
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
