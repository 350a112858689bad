import { execFile } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

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
  if (stat === null) return process.platform !== 'linux'
  const afterName = stat.lastIndexOf(')') + 2
  return stat.slice(afterName, afterName + 1) !== 'Z'
}

async function recordedPid(cluster: string): Promise<number | null> {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(file.split('\n')[0])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

/** A server works in its own cluster folder and is PostgreSQL; a backup that merely names the folder is not. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  if (process.platform === 'linux') {
    const [program, folder] = await Promise.all([
      readlink(`/proc/${pid}/exe`).catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    return /\/postgres( \(deleted\))?$/.test(program) && folder === cluster
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return /(^|\/)postgres( |:|$)/m.test(stdout)
}
