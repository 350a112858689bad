import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartRefusal } from '../../lib/start-refusal.ts'
import type { Launcher } from './launcher.ts'
import { runProgram } from './launcher.ts'

const unfinished = 'postgres.new-'

/** Makes the cluster if there is none: aside, and renamed when complete, so that a start that was killed half-way leaves no half database. */
export async function initialise(launcher: Launcher, programs: string, dataDir: string, superuser: string): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  for (const name of await readdir(dataDir)) {
    // What an earlier start left. An initdb that still writes there ends by itself; what it leaves goes next time.
    if (name.startsWith(unfinished))
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) return
  if (await stat(cluster).catch(() => null)) {
    throw new StartRefusal('not_a_database', {
      en: `${cluster} exists but holds no database that this user can read. Move it away, or set LINEWARDEN_DATA to another folder.`,
      zh: `${cluster} 已存在，但不是当前用户可读的数据库目录。请移走它，或用 LINEWARDEN_DATA 指定其他目录。`,
    })
  }
  const fresh = await mkdtemp(join(dataDir, unfinished))
  launcher.own(fresh)
  try {
    const args = ['-D', basename(fresh), '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums']
    await runProgram(launcher, join(programs, 'initdb'), args, dataDir)
    await rename(fresh, cluster)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    const reason = error instanceof Error ? error.message : String(error)
    const full = /No space left/i.test(reason)
    throw new StartRefusal(full ? 'disk_full' : 'initdb', {
      en: full
        ? `The disk of ${dataDir} is full. Make room and start again.`
        : `The database could not be created in ${dataDir}: ${reason}`,
      zh: full ? `${dataDir} 所在磁盘已满，请清理后重新启动。` : `无法在 ${dataDir} 中创建数据库：${reason}`,
    })
  }
}
