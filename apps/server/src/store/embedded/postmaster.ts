import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The process that a data folder says is its server, if it lives and really is. */
export async function livingPostmaster(cluster: string): Promise<number | null> {
  const pid = await recordedPid(cluster)
  return pid !== null && (await isPostmasterOf(pid, cluster)) ? pid : null
}

/**
 * Removes a `postmaster.pid` whose process is gone, or is now some other program: PostgreSQL itself only looks whether the number is
 * alive, and would refuse for ever.
 */
export async function clearStalePid(cluster: string): Promise<void> {
  const pid = await recordedPid(cluster)
  if (pid !== null && !(await isPostmasterOf(pid, cluster))) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Whether the process lives; a zombie does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? process.platform !== 'linux' : stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
}

async function recordedPid(cluster: string): Promise<number | null> {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(file.split('\n')[0])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  if (process.platform !== 'linux') return true
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(cluster)
}
