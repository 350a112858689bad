import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { StartRefusal } from '../../lib/start-refusal.ts'
import { postgresPrograms } from './binaries.ts'
import { clusterToCopy } from './copied-cluster.ts'
import type { EmbeddedPostgres } from './embedded.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { launcherFor, runProgram } from './launcher.ts'

const isRoot = process.getuid?.() === 0
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
const asMapped = ['unshare', '-U', '--map-user=1000', '--map-group=1000']
const retrying = { timeout: 20_000, interval: 20 }

const folders: string[] = []
const servers: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

let original: Awaited<ReturnType<typeof clusterToCopy>>
beforeAll(async () => {
  original = await clusterToCopy()
})
afterAll(() => original?.close())

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) await server.stop().catch(() => {})
  for (const folder of folders.splice(0)) {
    await killAllIn(folder)
    await rm(folder, { recursive: true, force: true })
  }
})

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

describe('creating the database', () => {
  it('begins anew when the first start was killed half-way', async () => {
    const dataDir = await newFolder()
    const owner = startOwner(dataDir).catch(() => 'killed')
    await vi.waitFor(async () => {
      const half = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new'))
      expect(await readdir(join(dataDir, half ?? 'none'))).toContain('base')
    }, retrying)
    for (const child of children) await kill(child)
    expect(await owner).toBe('killed')
    expect(await rows(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([])
  })

  // In a container the process number is the same at every start.
  it('begins anew when the killed start had our own process number', async () => {
    const dataDir = await newFolder()
    await mkdir(join(dataDir, `postgres.new-${process.pid}`, 'base'), { recursive: true })
    expect(await rows(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('happens once when two servers start at once; one of them runs', async () => {
    const dataDir = await newFolder()
    const both = await Promise.allSettled([startOwner(dataDir), startOwner(dataDir)])
    const running = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([
      expect.stringContaining('in_use: '),
    ])
    expect(running).toHaveLength(1)
    expect(await rows(running[0]!, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each([
    ['a file stands in its place', 'not_writable', async (dataDir: string) => writeFile(dataDir, '')],
    ['it cannot be made', 'not_writable', async () => '/dev/null/data'],
    [
      'other files are where the database belongs',
      'not_a_database',
      async (dataDir: string) => {
        await mkdir(join(dataDir, 'postgres'), { recursive: true })
        await writeFile(join(dataDir, 'postgres', 'diary.txt'), 'mine')
      },
    ],
  ])('is refused in both languages when %s', async (_, code, prepare) => {
    const dataDir = join(await newFolder(), 'data')
    const given = (await prepare(dataDir)) ?? dataDir
    const refusal = await start(given).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartRefusal)
    expect(refusal).toMatchObject({ code, readable: expect.stringMatching(/LINEWARDEN_DATA[\s\S]*\n.*LINEWARDEN_DATA.*目录/) })
    expect(await processesIn(dataDir)).toEqual([])
  })
})

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

interface Owner {
  readonly child: ChildProcess
  readonly connection: pg.ClientConfig
  readonly pid: number
}

/** The database started by a Node process of its own, which can be killed. Rejects with `code: message` when that process is refused. */
async function startOwner(dataDir: string, words: readonly string[] = [], env = process.env): Promise<Owner> {
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
    try {
      const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
      say({ connection: server.connection, pid: server.postmasterPid() })
      process.stdin.on('end', () => server.stop().then(() => process.exit(0))).resume()
    } catch (error) {
      say({ refused: error.code + ': ' + error.message })
      process.exit(1)
    }`
  const [command, ...args] = [...words, process.execPath, '--input-type=module', '-e', source]
  const child = spawn(command!, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout! })
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'close').then(() => ['{"refused":"killed"}'])])
  const said: Omit<Owner, 'child'> & { refused?: string } = JSON.parse(String(line))
  if (said.refused) throw new Error(said.refused)
  return { child, connection: said.connection, pid: said.pid }
}

async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log })
  servers.push(server)
  return server
}

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lw-pg-')))
  folders.push(folder)
  return folder
}

async function rows({ connection }: { connection: pg.ClientConfig }, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** One in which a database was made already. */
async function folderWithDatabase(): Promise<string> {
  const folder = await newFolder()
  original.into(folder)
  return folder
}

/** PostgreSQL's processes stand in their data folder; initdb and pg_ctl name it. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const signs = await Promise.all(
    pids.map(async (pid) => {
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return `${place} ${await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')}`
    }),
  )
  return pids.filter((_, at) => signs[at]?.includes(`${folder}/`))
}

async function killAllIn(folder: string): Promise<void> {
  await vi.waitFor(async () => {
    const found = await processesIn(folder)
    for (const pid of found) process.kill(pid, 'SIGKILL')
    expect(found).toEqual([])
  }, retrying)
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** A program that does nothing until it is killed. */
async function idle(args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
  children.push(child)
  await once(child, 'spawn')
  return child
}

async function ended(): Promise<ChildProcess> {
  const child = spawn('true')
  await once(child, 'exit')
  return child
}

const pidFile = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''), 10)

const writePidFile = (dataDir: string, pid: number | undefined): Promise<void> =>
  writeFile(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n${join(dataDir, 'socket')}\n\n  1234567         0\nready   \n`,
  )

const nobodyReaches = (file: string): boolean =>
  spawnSync(asNobody[0]!, [...asNobody.slice(1), 'test', '-r', file], { stdio: 'ignore' }).status === 0

/** A PATH on which only these programs are found. */
async function programsOnly(folder: string, names: readonly string[]): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await chmod(folder, 0o755)
  for (const name of names) {
    const { stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    await symlink(stdout.trim(), join(bin, name))
  }
  return bin
}
