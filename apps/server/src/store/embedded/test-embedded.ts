import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, vi } from 'vitest'
import type { EmbeddedPostgres } from './embedded.ts'
import { startEmbeddedPostgres } from './embedded.ts'

export const isRoot = process.getuid?.() === 0
export const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
export const retrying = { timeout: 20_000, interval: 20 }

export const folders: string[] = []
const servers: EmbeddedPostgres[] = []
export const children: ChildProcess[] = []

/** After each test: no process and no folder of it is left. */
export async function endAll(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) await server.stop().catch(() => {})
  for (const folder of folders.splice(0)) {
    await killAllIn(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

interface Owner {
  readonly child: ChildProcess
  readonly connection: pg.ClientConfig
  readonly pid: number
}

/** The database started by a Node process of its own, which can be killed. Rejects with `code: message` when that process is refused. */
export async function startOwner(dataDir: string, words: readonly string[] = [], env = process.env): Promise<Owner> {
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
  const answer: Omit<Owner, 'child'> & { refused?: string } = JSON.parse(String(line))
  if (answer.refused) throw new Error(answer.refused)
  return { child, connection: answer.connection, pid: answer.pid }
}

export async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log })
  servers.push(server)
  return server
}

export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lw-pg-')))
  folders.push(folder)
  return folder
}

export async function rows({ connection }: { connection: pg.ClientConfig }, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL's processes stand in their data folder; initdb and pg_ctl name it. */
export async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const signs = await Promise.all(
    pids.map(async (pid) => {
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return `${place} ${await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')}`
    }),
  )
  return pids.filter((_, at) => signs[at]?.includes(`${folder}/`))
}

export async function killAllIn(folder: string): Promise<void> {
  await vi.waitFor(async () => {
    const found = await processesIn(folder)
    for (const pid of found) process.kill(pid, 'SIGKILL')
    expect(found).toEqual([])
  }, retrying)
}

export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** A program that does nothing until it is killed. */
export async function idle(args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
  children.push(child)
  await once(child, 'spawn')
  return child
}

export const pidFile = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''), 10)

export const writePidFile = (dataDir: string, pid: number | undefined): Promise<void> =>
  writeFile(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n${join(dataDir, 'socket')}\n\n  1234567         0\nready   \n`,
  )

export const nobodyReaches = (file: string): boolean =>
  spawnSync(asNobody[0]!, [...asNobody.slice(1), 'test', '-r', file], { stdio: 'ignore' }).status === 0

/** A PATH on which only these programs are found. */
export async function programsOnly(folder: string, names: readonly string[]): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await chmod(folder, 0o755)
  for (const name of names) {
    const { stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    await symlink(stdout.trim(), join(bin, name))
  }
  return bin
}
