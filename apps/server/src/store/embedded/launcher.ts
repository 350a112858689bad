import { spawn, spawnSync } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefusal } from '../../start-refusal.ts'

/** How PostgreSQL's programs are started: the words that stand before the program. */
export interface Launcher {
  readonly name: 'direct' | 'namespace' | 'setpriv'
  readonly prefix: readonly string[]
  /** Gives a folder to the user the programs run as. */
  own(folder: string): void
}

const direct: Launcher = { name: 'direct', prefix: [], own: () => {} }
const namespace: Launcher = { name: 'namespace', prefix: ['unshare', '-U', '--map-user=1000', '--map-group=1000'], own: () => {} }
const nobody = 65_534
const setpriv: Launcher = {
  name: 'setpriv',
  prefix: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
  own: (folder) => giveTo(folder, nobody),
}

/**
 * PostgreSQL refuses to run as root. As root its programs run in a user namespace in which we are an ordinary user; where the kernel
 * forbids that, as `nobody`, if that user can reach the folder. Throws StartRefusal when neither works.
 */
export function launcherFor(folder: string, programs: string, ways: readonly Launcher[] = [namespace, setpriv]): Launcher {
  if (process.getuid?.() !== 0) return direct
  const found = ways.find((way) => {
    way.own(folder)
    return works(way, ['test', '-w', folder]) && works(way, [join(programs, 'postgres'), '--version'])
  })
  if (found) return found
  throw new StartRefusal('root', {
    en: `PostgreSQL does not run as root, and neither a user namespace nor the user "nobody" can reach ${folder}. Run Linewarden as a normal user, or set DATABASE_URL.`,
    zh: `PostgreSQL 不能以 root 运行，用户命名空间与 nobody 用户均无法访问 ${folder}。请用普通用户运行 Linewarden，或设置 DATABASE_URL。`,
  })
}

/** Runs one of PostgreSQL's programs to its end; its words are in the error when it fails. */
export function runProgram(launcher: Launcher, program: string, args: readonly string[]): Promise<void> {
  const [command, ...rest] = [...launcher.prefix, program, ...args]
  return new Promise((resolve, reject) => {
    // Its own session: Ctrl-C on the terminal must reach us, not the database under us.
    const child = spawn(command ?? program, rest, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, cwd: '/' })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4_000)
    })
    child.on('error', reject)
    // `exit`, not `close`: the server that pg_ctl leaves behind keeps the pipe open.
    child.on('exit', (code) => {
      child.stderr.destroy()
      if (code === 0) resolve()
      else reject(new Error(said.trim() || `${program} ended with ${code}`))
    })
  })
}

const works = (way: Launcher, command: readonly string[]): boolean => {
  const [first, ...rest] = [...way.prefix, ...command]
  return spawnSync(first ?? '', rest, { stdio: 'ignore', cwd: '/' }).status === 0
}

function giveTo(folder: string, user: number): void {
  chownSync(folder, user, user)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), user, user)
}
