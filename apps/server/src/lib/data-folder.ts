import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefusal } from './start-refusal.ts'

/** Makes the data folder if need be and proves that it can be written. Answers its real path, whatever links lead to it. */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const probe = join(dataDir, `.write-test-${process.pid}`)
    await writeFile(probe, 'x')
    await rm(probe)
    return await realpath(dataDir)
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC'
    throw full
      ? new StartRefusal('disk_full', {
          en: `The disk of ${dataDir} is full. Make room and start again.`,
          zh: `${dataDir} 所在磁盘已满，请清理后重新启动。`,
        })
      : new StartRefusal('not_writable', {
          en: `The folder ${dataDir} cannot be written. Give this user the right to, or set LINEWARDEN_DATA to another folder.`,
          zh: `目录 ${dataDir} 不可写。请为当前用户授权，或用 LINEWARDEN_DATA 指定其他目录。`,
        })
  }
}
