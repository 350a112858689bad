import { createHash } from 'node:crypto'
import { copyFile, open, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartRefusal } from '../../lib/start-refusal.ts'
import type { Launcher } from './launcher.ts'
import { runProgram } from './launcher.ts'
import { clearStalePid, isAlive, livingPostmaster } from './postmaster.ts'
import { isClosed, openForPreparing, serverRole } from './roles.ts'

export const port = 5432
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

interface Options {
  readonly dataDir: string
  /** Folder of the Unix socket. */
  readonly socket: string
  /** Folder of the programs of PostgreSQL. */
  readonly programs: string
  readonly launcher: Launcher
  readonly log: (line: string) => void
}

/** The cluster in the data folder: starts the server of it, stops it, or takes over the one that still runs. */
export class Cluster {
  readonly folder: string
  readonly connection
  readonly #options: Options
  /** By it a server is known that was started with other settings or other programs. */
  readonly #generation: string

  constructor(options: Options) {
    const { dataDir, socket, programs } = options
    this.#options = options
    this.folder = join(dataDir, 'postgres')
    this.connection = { host: socket, port, user: serverRole, database: serverRole, ssl: false, options: '' } as const
    this.#generation = createHash('sha256')
      .update(JSON.stringify([settings, programs]))
      .digest('hex')
      .slice(0, 12)
  }

  /** Its process when it was taken over. The folder is ours alone by now: a server that still runs in it lost its owner. */
  async adopt(): Promise<number | null> {
    const living = await livingPostmaster(this.folder)
    if (living === null) return null
    if ((await generationOf(this.connection, this.#options.log)) === this.#generation) {
      this.#options.log('database: took over the server that was still running')
      return living
    }
    await this.stop()
    return null
  }

  /** The process of the server that was started. Throws StartRefusal when it does not start. */
  async start(): Promise<number> {
    const { dataDir, launcher } = this.#options
    const logFile = join(dataDir, 'postgres.log')
    await limitLog(logFile, launcher)
    await this.#writeSettings()
    if (!(await isClosed(this.folder))) await openForPreparing(this.folder, launcher)
    // What a killed server left (memory, a visible dead process) may take a moment to go.
    for (let attempt = 1; ; attempt++) {
      await clearStalePid(this.folder)
      try {
        await this.#control('start', '-w', '-t', '60', '-D', '.', '-l', '../postgres.log')
        break
      } catch (error) {
        // Recovery may take longer than pg_ctl waits; then it runs, and is waited for.
        const living = await this.adopt()
        if (living !== null) return living
        if (attempt === 30) throw cannotStart(logFile, error)
        await wait(150)
      }
    }
    return (await livingPostmaster(this.folder)) ?? Promise.reject(cannotStart(logFile, 'it ended at once'))
  }

  /** Resolves when no process of the server is left. */
  async stop(): Promise<void> {
    const pid = await livingPostmaster(this.folder)
    if (pid === null) return
    const stop = (mode: string) => this.#control('stop', '-w', '-t', '30', '-m', mode, '-D', '.')
    await stop('fast')
      .catch(() => stop('immediate'))
      .catch(() => {})
    while (await isAlive(pid)) await wait(20)
  }

  #control(...options: string[]) {
    const { launcher, programs } = this.#options
    return runProgram(launcher, join(programs, 'pg_ctl'), options, this.folder)
  }

  /** The whole configuration, written anew at each start: what stands in the file is what runs. */
  async #writeSettings(): Promise<void> {
    const { dataDir, socket, launcher } = this.#options
    const near = socket === join(dataDir, 'socket') ? '../socket' : socket
    const all = { ...settings, unix_socket_directories: near, 'linewarden.generation': this.#generation }
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
    const file = join(this.folder, 'postgresql.conf')
    await writeFile(file, `# Written by Linewarden at each start; changes here are lost.\n${lines.join('\n')}\n`, { mode: 0o600 })
    launcher.own(file)
  }
}

/** Which settings the running server was started with; waits while it is recovering. Null when it does not answer. */
async function generationOf(connection: pg.ClientConfig, log: (line: string) => void): Promise<string | null> {
  for (let isLogged = false; ; ) {
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
      if (!isLogged) log('database: waiting until it has recovered')
      isLogged = true
      await wait(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
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
