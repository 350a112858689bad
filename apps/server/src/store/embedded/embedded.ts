import { createHash } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, open, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { prepareDataFolder } from '../../lib/data-folder.ts'
import { StartRefusal } from '../../lib/start-refusal.ts'
import { postgresPrograms } from './binaries.ts'
import { initialise } from './initialise.ts'
import type { Launcher } from './launcher.ts'
import { launcherFor, runProgram } from './launcher.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { clearStalePid, isAlive, livingPostmaster } from './postmaster.ts'
import { closeToOthers, isClosed, openForPreparing, prepareRoles, serverRole, superuser } from './roles.ts'

export interface EmbeddedPostgres {
  /** For `pg`: `host` is the folder of the Unix socket. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
    readonly ssl: false
    readonly options: string
  }
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

const port = 5432
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(port),
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
export async function startEmbeddedPostgres(given: Options): Promise<EmbeddedPostgres> {
  const { log } = given
  const programs = await postgresPrograms()
  const dataDir = await prepareDataFolder(given.dataDir)
  await refuseOthersFolder(dataDir)
  const host = await socketFolder(dataDir)
  const release = await takeOwnerLock(host)
  const cluster = join(dataDir, 'postgres')
  const connection = { host, port, user: serverRole, database: serverRole, ssl: false, options: '' } as const
  const generation = createHash('sha256')
    .update(JSON.stringify([settings, programs]))
    .digest('hex')
    .slice(0, 12)
  let launcher: Launcher
  let pid: number
  let stopping = false
  let stopped: Promise<void> | null = null
  try {
    launcher = launcherFor(dataDir, programs, given.launchers)
    await initialise(launcher, programs, dataDir, superuser)
    launcher.own(host)
    const prepared = await isClosed(cluster)
    pid = (await adopt()) ?? (await start())
    if (!prepared) await prepareRoles(connection)
    // Also when a start ended between the writing of the rules and their taking effect.
    await closeToOthers(cluster, launcher, pid)
  } catch (error) {
    await release()
    throw error
  }
  const watching = watch()

  return {
    connection,
    postmasterPid: () => pid,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }

  async function stop(): Promise<void> {
    stopping = true
    await watching
    await stopServer(launcher, programs, cluster)
    await release()
  }

  /** The folder is ours alone by now: a server that still runs in it lost its owner. */
  async function adopt(): Promise<number | null> {
    const living = await livingPostmaster(cluster)
    if (living === null) return null
    if ((await generationOf(connection, log)) === generation) {
      log('database: took over the server that was still running')
      return living
    }
    await stopServer(launcher, programs, cluster)
    return null
  }

  async function start(): Promise<number> {
    const logFile = join(dataDir, 'postgres.log')
    await limitLog(logFile, launcher)
    await writeSettings(cluster, host === join(dataDir, 'socket') ? '../socket' : host, generation, launcher)
    if (!(await isClosed(cluster))) await openForPreparing(cluster, launcher)
    // What a killed server left (memory, a visible dead process) may take a moment to go.
    for (let attempt = 1; ; attempt++) {
      await clearStalePid(cluster)
      try {
        await runProgram(
          launcher,
          join(programs, 'pg_ctl'),
          ['start', '-w', '-t', '60', '-D', '.', '-l', '../postgres.log'],
          cluster,
        )
        break
      } catch (error) {
        // Recovery may take longer than pg_ctl waits; then it runs, and is waited for.
        const living = await adopt()
        if (living !== null) return living
        if (attempt === 30) throw cannotStart(logFile, error)
        await wait(150)
      }
    }
    return (await livingPostmaster(cluster)) ?? Promise.reject(cannotStart(logFile, 'it ended at once'))
  }

  async function watch(): Promise<void> {
    while (!stopping) {
      await wait(100)
      if (stopping || (await isAlive(pid))) continue
      log('database: the server died; starting it again')
      try {
        pid = await start()
        log('database: running again')
      } catch (error) {
        log(`database: could not be started again: ${String(error)}`)
      }
    }
  }
}

/** As root we could write into anybody's folder, and would take it from them. */
async function refuseOthersFolder(dataDir: string): Promise<void> {
  const { uid } = await stat(dataDir)
  if (process.getuid === undefined || uid === process.getuid()) return
  throw new StartRefusal('other_user', {
    en: `${dataDir} belongs to another user (${uid}). Run Linewarden as that user, or set LINEWARDEN_DATA to a folder of your own.`,
    zh: `${dataDir} 属于其他用户（${uid}）。请以该用户运行 Linewarden，或用 LINEWARDEN_DATA 指定自己的目录。`,
  })
}

/** A socket path holds 107 bytes at most, so a deep data folder gets a short one elsewhere, that only this user may enter. */
async function socketFolder(dataDir: string): Promise<string> {
  const near = join(dataDir, 'socket')
  const short = join(tmpdir(), `lw-${process.getuid?.() ?? 0}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  const folder = Buffer.byteLength(`${near}/.s.PGSQL.${port}.lock`) < 104 ? near : short
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  // `nobody` may own it, after a start in which only that user could run PostgreSQL.
  if (!found.isDirectory() || (found.uid !== process.getuid?.() && found.uid !== 65_534)) {
    throw new StartRefusal('socket_folder', {
      en: `${folder} belongs to somebody else. Remove it.`,
      zh: `${folder} 属于其他用户，请删除。`,
    })
  }
  await chmod(folder, 0o700)
  return folder
}

/** The whole configuration, written anew at each start: what stands in the file is what runs. */
async function writeSettings(cluster: string, socket: string, generation: string, launcher: Launcher): Promise<void> {
  const all = { ...settings, unix_socket_directories: socket, 'linewarden.generation': generation }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  const file = join(cluster, 'postgresql.conf')
  await writeFile(file, `# Written by Linewarden at each start; changes here are lost.\n${lines.join('\n')}\n`, { mode: 0o600 })
  launcher.own(file)
}

/** Which settings the running server was started with; waits while it is recovering. Null when it does not answer. */
async function generationOf(connection: pg.ClientConfig, log: (line: string) => void): Promise<string | null> {
  for (let told = false; ; ) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ found: string | null }>(
        "select current_setting('linewarden.generation', true) as found",
      )
      return rows[0]?.found ?? null
    } catch (error) {
      // 57P03: it is starting up; 53300: all connections of the dead owner are not gone yet.
      const { code } = error as { code?: string }
      if (code !== '57P03' && code !== '53300') return null
      if (!told) log('database: waiting until it has recovered')
      told = true
      await wait(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function stopServer(launcher: Launcher, programs: string, cluster: string): Promise<void> {
  const pid = await livingPostmaster(cluster)
  if (pid === null) return
  const stop = (mode: string) =>
    runProgram(launcher, join(programs, 'pg_ctl'), ['stop', '-w', '-t', '30', '-m', mode, '-D', '.'], cluster)
  await stop('fast')
    .catch(() => stop('immediate'))
    .catch(() => {})
  while (await isAlive(pid)) await wait(20)
}

/** The log is put aside when it has grown; the server that runs keeps writing into the same file. */
async function limitLog(file: string, launcher: Launcher): Promise<void> {
  await (await open(file, 'a', 0o600)).close()
  if ((await stat(file)).size > 10_000_000) {
    await copyFile(file, `${file}.1`)
    await truncate(file)
  }
  launcher.own(file)
}

const cannotStart = (logFile: string, error: unknown): StartRefusal => {
  const reason = error instanceof Error ? error.message : String(error)
  return new StartRefusal('cannot_start', {
    en: `The embedded database does not start: ${reason}. Its own words are in ${logFile}.`,
    zh: `内置数据库无法启动：${reason}。详情见 ${logFile}。`,
  })
}
