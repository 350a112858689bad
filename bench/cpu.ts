import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const ticksPerS = 100

interface Process {
  readonly parent: number
  /** CPU seconds of it, and of its children that have ended. */
  readonly own: number
  readonly ended: number
}

async function processOf(pid: number): Promise<Process | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // Behind the name, which may hold anything.
  const fields = stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  if (!fields) return null
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
  return { parent: fields[1] ?? 0, own: (utime + stime) / ticksPerS, ended: (cutime + cstime) / ticksPerS }
}

/**
 * CPU seconds that a server and its PostgreSQL have used so far: on a machine that does other things beside it says more than any time that was
 * waited for.
 */
export async function cpuSeconds(
  serverPid: number,
  database: pg.Client,
): Promise<{ readonly server: number; readonly database: number }> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = (await processOf(rows[0]?.pid ?? 0))?.parent ?? 0
  const all = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((name) => processOf(Number(name))),
  )
  const backends = all.filter((each) => each?.parent === postmaster).reduce((sum, each) => sum + (each?.own ?? 0), 0)
  const head = await processOf(postmaster)
  return {
    server: (await processOf(serverPid))?.own ?? Number.NaN,
    database: backends + (head?.own ?? 0) + (head?.ended ?? 0),
  }
}
