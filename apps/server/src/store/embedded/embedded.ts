import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartRefusal } from '../../start-refusal.ts'
import { postgresPrograms } from './binaries.ts'
import type { Launcher } from './launcher.ts'
import { launcherFor, runProgram } from './launcher.ts'
import { clearStalePid, isAlive, livingPostmaster } from './postmaster.ts'

export interface EmbeddedPostgres {
  /** For `pg`: `host` is the folder of the Unix socket. */
  readonly connection: { readonly host: string; readonly port: number; readonly user: string; readonly database: string }
  /** The present server process; another one after a restart. */
  postmasterPid(): number
  /** Stops the server and waits until no process of it is left. */
  stop(): Promise<void>
}

interface Options {
  /** Absolute; the cluster is `postgres` in it. */
  readonly dataDir: string
  readonly log: (line: string) => void
  readonly launchers?: readonly Launcher[]
}

const user = 'linewarden'
const port = 5432
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '120',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts PostgreSQL in the data folder, or takes over the one a killed server left behind. Restarts it when it dies by itself.
 * Throws StartRefusal when a person has to do something first.
 */
export async function startEmbeddedPostgres({ dataDir, log, launchers }: Options): Promise<EmbeddedPostgres> {
  const programs = await postgresPrograms()
  await prepareFolder(dataDir)
  const launcher = launcherFor(dataDir, programs, launchers)
  const cluster = join(dataDir, 'postgres')
  await initialise(launcher, programs, dataDir, cluster)
  const host = await socketFolder(dataDir, launcher)
  const connection = { host, port, user, database: user }
  const generation = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12)

  let pid = (await adopt()) ?? (await start())
  let guard = await takeGuard({ ...connection, database: 'postgres' })
  let stopping = false
  const watching = watch()

  return {
    connection,
    postmasterPid: () => pid,
    async stop() {
      stopping = true
      guard.removeAllListeners('error').on('error', () => {})
      await guard.end().catch(() => {})
      await stopServer(launcher, programs, cluster)
      await watching
    },
  }

  async function adopt(): Promise<number | null> {
    const living = await livingPostmaster(cluster)
    if (living === null) return null
    if (await answers({ ...connection, database: 'postgres' }, generation)) {
      log('database: took over the server that was still running')
      return living
    }
    await stopServer(launcher, programs, cluster)
    return null
  }

  async function start(): Promise<number> {
    const logFile = join(dataDir, 'postgres.log')
    await limitLog(logFile)
    const options = Object.entries({ ...settings, unix_socket_directories: host, 'linewarden.generation': generation })
      .map(([name, value]) => `-c ${name}='${value}'`)
      .join(' ')
    // What a killed server left (memory, a visible dead process) may take a moment to go.
    for (let attempt = 1; ; attempt++) {
      await clearStalePid(cluster)
      try {
        await runProgram(launcher, join(programs, 'pg_ctl'), [
          'start',
          '-w',
          '-t',
          '60',
          '-D',
          cluster,
          '-l',
          logFile,
          '-o',
          options,
        ])
        break
      } catch (error) {
        const living = await adopt()
        if (living !== null) return living
        if (attempt === 20) throw cannotStart(logFile, error)
        await wait(500)
      }
    }
    return (await livingPostmaster(cluster)) ?? Promise.reject(cannotStart(logFile, 'it ended at once'))
  }

  async function watch(): Promise<void> {
    while (!stopping) {
      await wait(250)
      if (stopping || (await isAlive(pid))) continue
      log('database: the server died; starting it again')
      try {
        pid = await start()
        guard.removeAllListeners('error').on('error', () => {})
        guard.end().catch(() => {})
        guard = await takeGuard({ ...connection, database: 'postgres' })
        log('database: running again')
      } catch (error) {
        log(`database: could not be started again: ${String(error)}`)
      }
    }
  }
}

async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const probe = join(dataDir, `.write-test-${process.pid}`)
    await writeFile(probe, 'x')
    await rm(probe)
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

/** Made aside and renamed when complete: a start that was killed half-way leaves nothing that looks like a database. */
async function initialise(launcher: Launcher, programs: string, dataDir: string, cluster: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (/^postgres\.new-\d+$/.test(name) && !(await isAlive(Number(name.slice(13)))))
      await rm(join(dataDir, name), { recursive: true, force: true })
  }
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) return
  if (await stat(cluster).catch(() => null)) {
    throw new StartRefusal('not_a_database', {
      en: `${cluster} exists but holds no database. Move it away, or set LINEWARDEN_DATA to another folder.`,
      zh: `${cluster} 已存在但不是数据库目录。请移走它，或用 LINEWARDEN_DATA 指定其他目录。`,
    })
  }
  const fresh = join(dataDir, `postgres.new-${process.pid}`)
  await mkdir(fresh, { mode: 0o700 })
  launcher.own(fresh)
  try {
    const args = ['-D', fresh, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums']
    await runProgram(launcher, join(programs, 'initdb'), args)
    await rename(fresh, cluster)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) return // Another start was faster.
    throw new StartRefusal('initdb', {
      en: `The database could not be created in ${dataDir}: ${messageOf(error)}`,
      zh: `无法在 ${dataDir} 中创建数据库：${messageOf(error)}`,
    })
  }
}

/** A socket path holds 107 bytes at most, so a deep data folder gets a short one elsewhere, that only this user may enter. */
async function socketFolder(dataDir: string, launcher: Launcher): Promise<string> {
  const near = join(dataDir, 'socket')
  const short = join(tmpdir(), `lw-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  const folder = Buffer.byteLength(`${near}/.s.PGSQL.${port}.lock`) < 104 ? near : short
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  if (!found.isDirectory() || (launcher.name === 'direct' && found.uid !== process.getuid?.())) {
    throw new StartRefusal('socket_folder', {
      en: `${folder} belongs to somebody else. Remove it.`,
      zh: `${folder} 属于其他用户，请删除。`,
    })
  }
  await chmod(folder, 0o700)
  launcher.own(folder)
  return folder
}

async function answers(connection: pg.ClientConfig, generation: string): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ found: string | null }>(
      "select current_setting('linewarden.generation', true) as found",
    )
    return rows[0]?.found === generation
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

// Any fixed number: whoever holds this lock is the one server of this data folder.
const guardKey = 7_102_552

/** One server per data folder: an advisory lock held by an open connection, which even kill -9 lets go. Also makes our database. */
async function takeGuard(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [guardKey])
    if (rows[0]?.taken) break
    if (attempt === 30) {
      await client.end()
      throw new StartRefusal('in_use', {
        en: 'Another Linewarden server is using this data folder. Stop it first, or set LINEWARDEN_DATA to another folder.',
        zh: '另一个 Linewarden 服务正在使用该数据目录。请先停止它，或用 LINEWARDEN_DATA 指定其他目录。',
      })
    }
    await wait(100)
  }
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [user])
  if (rowCount === 0) await client.query(`create database ${user}`)
  return client
}

async function stopServer(launcher: Launcher, programs: string, cluster: string): Promise<void> {
  const pid = await livingPostmaster(cluster)
  if (pid === null) return
  const stop = (mode: string) =>
    runProgram(launcher, join(programs, 'pg_ctl'), ['stop', '-w', '-t', '30', '-m', mode, '-D', cluster])
  await stop('fast').catch(() => stop('immediate'))
  while (await isAlive(pid)) await wait(20)
}

async function limitLog(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found && found.size > 10_000_000) await rename(file, `${file}.1`)
}

const cannotStart = (logFile: string, error: unknown): StartRefusal =>
  new StartRefusal('cannot_start', {
    en: `The embedded database does not start: ${messageOf(error)}. Its own words are in ${logFile}.`,
    zh: `内置数据库无法启动：${messageOf(error)}。详情见 ${logFile}。`,
  })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
