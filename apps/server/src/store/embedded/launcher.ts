import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefusal } from '../../lib/start-refusal.ts'

/** How PostgreSQL's programs are started: the words that stand before the program. */
export interface Launcher {
  readonly name: 'direct' | 'namespace' | 'setpriv'
  readonly prefix: readonly string[]
  /** Lets the user the programs run as pass through the data folder, without reading it. */
  admit(dataDir: string): void
  /** Gives a file or folder of ours to that user; links are never followed. */
  own(path: string): void
}

const nothing = () => {}
const direct: Launcher = { name: 'direct', prefix: [], admit: nothing, own: nothing }
const namespace: Launcher = {
  name: 'namespace',
  prefix: ['unshare', '-U', '--map-user=1000', '--map-group=1000'],
  admit: nothing,
  own: nothing,
}
const nobody = 65_534
const setpriv: Launcher = {
  name: 'setpriv',
  prefix: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs'],
  admit: (dataDir) => chmodSync(dataDir, 0o711),
  own: giveToNobody,
}

/**
 * PostgreSQL refuses to run as root. As root its programs run in a user namespace in which we are an ordinary user; where the kernel
 * forbids that, as `nobody`, if that user can reach the folder. Throws StartRefusal when neither works.
 */
export function launcherFor(dataDir: string, programs: string, ways: readonly Launcher[] = [namespace, setpriv]): Launcher {
  if (process.getuid?.() !== 0) return direct
  const found = ways.find((way) => {
    const probe = mkdtempSync(join(dataDir, '.probe-'))
    try {
      if (!works(way, [join(programs, 'postgres'), '--version'])) return false
      way.own(probe)
      if (works(way, ['test', '-w', probe])) return true
      way.admit(dataDir)
      return works(way, ['test', '-w', probe])
    } finally {
      rmSync(probe, { recursive: true, force: true })
    }
  })
  if (found) return found
  throw new StartRefusal('root', {
    en: `PostgreSQL does not run as root, and neither a user namespace nor the user "nobody" can reach ${dataDir}. Run Linewarden as a normal user, or set DATABASE_URL.`,
    zh: `PostgreSQL 不能以 root 运行，用户命名空间与 nobody 用户均无法访问 ${dataDir}。请用普通用户运行 Linewarden，或设置 DATABASE_URL。`,
  })
}

/**
 * Runs one of PostgreSQL's programs to its end, in a folder; its words are in the error when it fails. Paths are given relative to that
 * folder, because pg_ctl and initdb hand them to a shell. PG* settings of our own environment stay outside.
 */
export function runProgram(launcher: Launcher, program: string, args: readonly string[], folder: string): Promise<void> {
  const [command, ...rest] = [...launcher.prefix, program, ...args]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')))
  return new Promise((resolve, reject) => {
    // Its own session: Ctrl-C on the terminal must reach us, not the database under us.
    const child = spawn(command ?? program, rest, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, cwd: folder, env })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4_000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(output.trim() || `${program} ended with ${code}`))
    })
  })
}

const works = (way: Launcher, command: readonly string[]): boolean => {
  const [first, ...rest] = [...way.prefix, ...command]
  return spawnSync(first ?? '', rest, { stdio: 'ignore', cwd: '/' }).status === 0
}

function giveToNobody(path: string): void {
  lchownSync(path, nobody, nobody)
  let entries: ReturnType<typeof listOf> = []
  try {
    entries = listOf(path)
  } catch {
    return // A file, not a folder.
  }
  for (const entry of entries) giveToNobody(join(path, entry))
}

const listOf = (path: string): string[] => readdirSync(path)
