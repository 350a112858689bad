import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { StartRefusal } from '../../lib/start-refusal.ts'
import { clusterToCopy } from './copied-cluster.ts'
import { endAll, idle, newFolder, pidFile, processesIn, rows, start, startOwner, writePidFile } from './test-embedded.ts'

let original: Awaited<ReturnType<typeof clusterToCopy>>
beforeAll(async () => {
  original = await clusterToCopy()
})
afterAll(() => original?.close())
afterEach(endAll)

describe('one server per data folder', () => {
  it('refuses the second and leaves the first alone', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'in_use' })
    expect(await pidFile(dataDir)).toBe(owner.pid)
    expect(await rows(owner, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses the second also when the folder is reached by another path', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    const other = join(await newFolder(), 'link')
    await symlink(dataDir, other)
    await expect(start(other)).rejects.toMatchObject({ code: 'in_use' })
    expect(await pidFile(dataDir)).toBe(owner.pid)
  })

  it('refuses the second also when every connection is taken', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    const taken: pg.Client[] = []
    for (let more = true; more; ) {
      const client = new pg.Client(owner.connection)
      client.on('error', () => {})
      more = await client.connect().then(
        () => true,
        () => false,
      )
      if (more) taken.push(client)
    }
    await expect(start(dataDir)).rejects.toBeInstanceOf(StartRefusal)
    expect(await pidFile(dataDir)).toBe(owner.pid)
    for (const client of taken) await client.end()
  })

  it('leaves no process when stopped while a dead database is being started again', async () => {
    const dataDir = await folderWithDatabase()
    let died = () => {}
    const seen = new Promise<void>((resolve) => {
      died = resolve
    })
    const server = await start(dataDir, (line) => line.includes('died') && died())
    process.kill(server.postmasterPid(), 'SIGKILL')
    await seen
    await server.stop()
    expect(await processesIn(dataDir)).toEqual([])
  })

  it('does not stop another program that took the number and works on the folder', async () => {
    const dataDir = await folderWithDatabase()
    const backup = await idle([join(dataDir, 'postgres')])
    await writePidFile(dataDir, backup.pid)
    await start(dataDir).catch(() => {})
    expect(backup.signalCode).toBe(null)
  })
})

/** One in which a database was made already. */
async function folderWithDatabase(): Promise<string> {
  const folder = await newFolder()
  original.into(folder)
  return folder
}
