import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { postgresPrograms } from './binaries.ts'
import { clusterToCopy } from './copied-cluster.ts'
import { launcherFor, runProgram } from './launcher.ts'
import {
  asNobody,
  endAll,
  folders,
  idle,
  isRoot,
  kill,
  killAllIn,
  newFolder,
  nobodyReaches,
  pidFile,
  processesIn,
  programsOnly,
  retrying,
  rows,
  start,
  startOwner,
  writePidFile,
} from './test-embedded.ts'

const asMapped = ['unshare', '-U', '--map-user=1000', '--map-group=1000']

let original: Awaited<ReturnType<typeof clusterToCopy>>
beforeAll(async () => {
  original = await clusterToCopy()
})
afterAll(() => original?.close())
afterEach(endAll)

describe('the embedded database', () => {
  it('keeps what was committed, listens on no port, and leaves no process when stopped', async () => {
    const dataDir = await newFolder()
    const first = await start(dataDir)
    expect(
      await rows(
        first,
        `select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync,
        current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding`,
      ),
    ).toEqual([{ listen: '', fsync: 'on', checksums: 'on', encoding: 'UTF8' }])
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0)
    expect((await stat(first.connection.host)).mode & 0o077).toBe(0)
    await rows(first, 'create table kept as select 7 as value')
    await first.stop()
    expect(await processesIn(dataDir)).toEqual([])

    const second = await start(dataDir)
    expect(await rows(second, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('takes over the running server of an owner killed with -9', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    await rows(owner, 'create table kept as select 7 as value')
    await kill(owner.child)
    const lines: string[] = []
    const next = await start(dataDir, (line) => lines.push(line))
    expect(next.postmasterPid()).toBe(owner.pid)
    expect(lines).toContain('database: took over the server that was still running')
    expect(await rows(next, 'select value from kept')).toEqual([{ value: 7 }])
    await next.stop()
    expect(await processesIn(dataDir)).toEqual([])
  })

  it('replaces the running server of an older Linewarden, whose settings are not ours', async () => {
    const dataDir = await folderWithDatabase()
    const first = await start(dataDir)
    await rows(first, 'create table kept as select 7 as value')
    await first.stop()
    const programs = await postgresPrograms()
    await writeFile(
      join(dataDir, 'postgres', 'postgresql.conf'),
      "listen_addresses = ''\nunix_socket_directories = '../socket'\n",
    )
    await runProgram(
      launcherFor(dataDir, programs),
      join(programs, 'pg_ctl'),
      ['start', '-w', '-D', '.', '-l', '../postgres.log'],
      join(dataDir, 'postgres'),
    )
    const before = await pidFile(dataDir)
    const next = await start(dataDir)
    expect(next.postmasterPid()).not.toBe(before)
    expect(await rows(next, 'select value from kept')).toEqual([{ value: 7 }])
    expect(await rows(next, 'show max_wal_size')).toEqual([{ max_wal_size: '2GB' }])
  })

  it('puts a grown log aside when it starts', async () => {
    const dataDir = await folderWithDatabase()
    await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(10_000_001))
    await start(dataDir)
    expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(100_000)
    expect((await stat(join(dataDir, 'postgres.log.1'))).size).toBe(10_000_001)
  })

  it('recovers what was committed when owner and database were all killed with -9', async () => {
    const dataDir = await folderWithDatabase()
    const owner = await startOwner(dataDir)
    await rows(owner, 'create table kept as select 7 as value')
    await kill(owner.child)
    await killAllIn(dataDir)
    expect(await rows(await start(dataDir), 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('starts a database that died by itself again, still guarded', async () => {
    const dataDir = await folderWithDatabase()
    const server = await start(dataDir)
    await rows(server, 'create table kept as select 7 as value')
    const dead = server.postmasterPid()
    process.kill(dead, 'SIGKILL')
    await vi.waitFor(async () => expect(await rows(server, 'select value from kept')).toEqual([{ value: 7 }]), retrying)
    await expect.poll(() => server.postmasterPid(), retrying).not.toBe(dead)
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'in_use' })
  })

  it.each([
    ['a process that has ended', () => ended()],
    ['some other program', () => idle([])],
  ])('starts when the pid file names %s', async (_, other) => {
    const dataDir = await folderWithDatabase()
    const foreign = await other()
    await writePidFile(dataDir, foreign.pid)
    expect(await rows(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(foreign.signalCode).toBe(null)
  })

  it('starts in folders with blanks, Chinese letters, and a path longer than a socket may have', async () => {
    const dataDir = join(await newFolder(), '变电 站', 'd'.repeat(110))
    const server = await start(dataDir)
    expect(await rows(server, 'select 1 as one')).toEqual([{ one: 1 }])
    folders.push(server.connection.host)
  })

  it.runIf(isRoot)('runs for a normal user too', async () => {
    const dataDir = await newFolder()
    await chmod(dataDir, 0o777)
    // In a checkout that `nobody` may not enter, a user namespace shows an ordinary user the same files.
    const words = nobodyReaches(process.execPath) && nobodyReaches(import.meta.filename) ? asNobody : asMapped
    const owner = await startOwner(join(dataDir, 'own'), words)
    expect(await rows(owner, 'select 1 as one')).toEqual([{ one: 1 }])
    owner.child.stdin?.end()
    expect(await once(owner.child, 'exit')).toEqual([0, null])
    expect(await processesIn(dataDir)).toEqual([])
  })

  it.runIf(isRoot)('runs for root as `nobody` where there are no user namespaces, or says what to do', async () => {
    const dataDir = await newFolder()
    const path = await programsOnly(dataDir, ['setpriv', 'test', 'sh'])
    const begun = startOwner(join(dataDir, 'own'), [], { PATH: path })
    if (!nobodyReaches(join(await postgresPrograms(), 'postgres'))) return expect(begun).rejects.toThrow('root: ')
    const owner = await begun
    expect((await stat(`/proc/${owner.pid}`)).uid).toBe(65_534)
    expect(await rows(owner, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot)('refuses root when neither way is there', async () => {
    const dataDir = await newFolder()
    await expect(startOwner(join(dataDir, 'own'), [], { PATH: dataDir })).rejects.toThrow(/^root: .*DATABASE_URL/)
  })
})

describe('what stands around', () => {
  it('starts whatever PostgreSQL settings the environment holds', async () => {
    const dataDir = await newFolder()
    const env = { PGPORT: '6543', PGSSLMODE: 'require', PGOPTIONS: '-c search_path=elsewhere', PGDATA: '/nowhere', PGUSER: 'x' }
    const owner = await startOwner(dataDir, [], { ...process.env, ...env })
    expect(await rows(owner, 'show search_path')).toHaveLength(1)
  })

  it('starts in a folder whose name a shell or a list of folders would read as something else', async () => {
    const server = await start(join(await newFolder(), `o'brien, "$HOME" & \`tick\``))
    expect(await rows(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot)('never gives away a file outside the data folder that a link in it points to', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'own'))
    const outside = join(folder, 'precious')
    await writeFile(outside, '')
    await symlink(outside, join(folder, 'own', 'link'))
    await startOwner(join(folder, 'own'), [], { PATH: await programsOnly(folder, ['setpriv', 'test', 'sh']) }).catch(() => {})
    expect((await stat(outside)).uid).toBe(0)
  })

  it.runIf(isRoot)("never takes another user's folder from them when root starts on it by mistake", async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'secret'), '')
    for (const path of [dataDir, join(dataDir, 'secret')]) await chown(path, 1_000, 1_000)
    await start(dataDir).catch(() => {})
    expect((await stat(join(dataDir, 'secret'))).uid).toBe(1_000)
  })
})

/** One in which a database was made already. */
async function folderWithDatabase(): Promise<string> {
  const folder = await newFolder()
  original.into(folder)
  return folder
}

async function ended(): Promise<ChildProcess> {
  const child = spawn('true')
  await once(child, 'exit')
  return child
}
