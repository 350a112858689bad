import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** What came of the tests: `timeout` when they did not end in time. */
export type Verdict = 'passed' | 'failed' | 'timeout'

/** A copy of the working tree in which sources may be broken; nobody who works in the tree itself notices. */
export interface Workshop {
  write(file: string, source: string): void
  /** Runs test files and folders until the first failure. */
  test(targets: readonly string[], limitMs: number): Promise<Verdict>
  compiles(): boolean
  remove(): void
}

/** Copies what git knows or would take, with the installed packages linked, and the house's own packages linked to the copy. */
export function openWorkshop(root: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'linewarden-mutation-'))
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  for (const file of stdout.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
  const bin = (name: string, ...rest: string[]) => [join(folder, 'node_modules', name), ...rest]
  return {
    write: (file, source) => writeFileSync(join(folder, file), source),
    test: (targets, limitMs) =>
      ended([...bin('vitest/vitest.mjs'), 'run', '--bail=1', '--silent', '--reporter=dot', ...targets], folder, limitMs),
    compiles: () =>
      spawnSync(process.execPath, [...bin('typescript/bin/tsc'), '-p', 'tsconfig.json'], { cwd: folder }).status === 0,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, '@linewarden'), { recursive: true })
  for (const name of readdirSync(from))
    if (name !== '@linewarden' && name !== '.cache') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@linewarden'))) {
    const own = readlinkSync(join(from, '@linewarden', name))
    symlinkSync(resolve(to, '@linewarden', own), join(to, '@linewarden', name))
  }
}

function ended(args: readonly string[], cwd: string, limitMs: number): Promise<Verdict> {
  return new Promise((done) => {
    // A group of its own: workers that hang end with it.
    const child = spawn(process.execPath, args, { cwd, detached: true, stdio: 'ignore' })
    let late = false
    const timer = setTimeout(() => {
      late = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, limitMs)
    child.once('exit', (code) => {
      clearTimeout(timer)
      done(late ? 'timeout' : code === 0 ? 'passed' : 'failed')
    })
  })
}
