import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { prepareDataFolder } from '../../lib/data-folder.ts'
import { StartRefusal } from '../../lib/start-refusal.ts'
import { postgresPrograms } from './binaries.ts'
import { Cluster, port } from './cluster.ts'
import { initialise } from './initialise.ts'
import type { Launcher } from './launcher.ts'
import { launcherFor } from './launcher.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { isAlive } from './postmaster.ts'
import { closeToOthers, isClosed, prepareRoles, superuser } from './roles.ts'

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

/**
 * Starts PostgreSQL in the data folder, or takes over the one a killed server left behind. Restarts it when it dies by itself.
 * Throws StartRefusal when a person has to do something first.
 */
export async function startEmbeddedPostgres(given: Options): Promise<EmbeddedPostgres> {
  const { log } = given
  const programs = await postgresPrograms()
  const dataDir = await prepareDataFolder(given.dataDir)
  await refuseOthersFolder(dataDir)
  const socket = await socketFolder(dataDir)
  const release = await takeOwnerLock(socket)
  try {
    const launcher = launcherFor(dataDir, programs, given.launchers)
    await initialise(launcher, programs, dataDir, superuser)
    launcher.own(socket)
    const cluster = new Cluster({ dataDir, socket, programs, launcher, log })
    const prepared = await isClosed(cluster.folder)
    const pid = (await cluster.adopt()) ?? (await cluster.start())
    if (!prepared) await prepareRoles(cluster.connection)
    // Also when a start ended between the writing of the rules and their taking effect.
    await closeToOthers(cluster.folder, launcher, pid)
    return new Supervised(cluster, pid, release, log)
  } catch (error) {
    await release()
    throw error
  }
}

/** The server that runs, started again whenever it dies by itself. */
class Supervised implements EmbeddedPostgres {
  readonly connection: EmbeddedPostgres['connection']
  readonly #cluster: Cluster
  readonly #release: () => Promise<void>
  readonly #log: (line: string) => void
  readonly #watching: Promise<void>
  #pid: number
  #stopping = false
  #stopped: Promise<void> | null = null

  constructor(cluster: Cluster, pid: number, release: () => Promise<void>, log: (line: string) => void) {
    this.connection = cluster.connection
    this.#cluster = cluster
    this.#pid = pid
    this.#release = release
    this.#log = log
    this.#watching = this.#watch()
  }

  postmasterPid(): number {
    return this.#pid
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping = true
    await this.#watching
    await this.#cluster.stop()
    await this.#release()
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      await wait(100)
      if (this.#stopping || (await isAlive(this.#pid))) continue
      this.#log('database: the server died; starting it again')
      try {
        this.#pid = await this.#cluster.start()
        this.#log('database: running again')
      } catch (error) {
        this.#log(`database: could not be started again: ${String(error)}`)
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
