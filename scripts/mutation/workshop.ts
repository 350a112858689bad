import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { ClientConfig } from 'pg'

/** What came of the tests: `timeout` when they did not end in time. */
export interface TestsEnded {
  readonly verdict: 'passed' | 'failed' | 'timeout'
  /** The files that failed, as far as that was told. */
  readonly failed: readonly string[]
}

interface Run {
  readonly limitMs: number
  /** False: goes on after a failure. */
  readonly bail?: boolean
  readonly workers?: number
  /** Where each test file notes what it reaches. */
  readonly reachFolder?: string
}

/** A copy of the working tree in which sources may be broken; nobody who works in the tree itself notices. */
export interface Workshop {
  /** Where the copy is. */
  readonly folder: string
  write(file: string, source: string): void
  /** Runs test files, until the first failure. */
  test(files: readonly string[], run: Run): Promise<TestsEnded>
  /** Whether the compiler takes the tree as it is: `passed` is that it does. */
  compiles(): Promise<TestsEnded['verdict']>
  /** Ends what runs. */
  interrupt(): void
  /** What the tree holds, as a hash. */
  readonly state: string
  remove(): void
}

/** What may change what a migrated database is like: whoever breaks it, or mends it, needs another template. */
const templateSources = 'apps/server/src/store/'

/**
 * Copies what git knows or would take, with the installed packages linked, and the house's own packages linked to the copy. `postgres` is this
 * workshop's alone: each run that makes its template takes the one before away from whoever copies it.
 */
export function openWorkshop(root: string, postgres: ClientConfig): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'linewarden-mutation-'))
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const hash = createHash('sha256')
  for (const file of stdout.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
    hash.update(file).update(readFileSync(join(folder, file)))
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
  let running: ChildProcess | null = null
  let hasTemplate = false
  const bin = (name: string, ...rest: string[]) => [join(folder, 'node_modules', name), ...rest]
  return {
    folder,
    write(file, source) {
      writeFileSync(join(folder, file), source)
      if (file.startsWith(templateSources)) hasTemplate = false
    },
    state: hash.digest('hex').slice(0, 16),
    async test(files, { limitMs, bail = true, workers = 1, reachFolder }) {
      const report = join(folder, 'node_modules/.test-report.json')
      rmSync(report, { force: true })
      const args = [
        ...[...bin('vitest/vitest.mjs'), 'run', '--config=scripts/mutation/vitest.config.ts', '--silent'],
        ...['--reporter=json', `--outputFile=${report}`, `--bail=${bail ? 1 : 0}`, `--maxWorkers=${workers}`, ...files],
      ]
      const env = {
        ...process.env,
        TEST_POSTGRES: JSON.stringify(postgres),
        ...(hasTemplate && { TEST_TEMPLATE: 'made' }),
        ...(reachFolder && { MUTATION_REACH: reachFolder }),
      }
      hasTemplate = false
      // A group of its own: workers that hang end with it.
      running = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: 'ignore', env })
      const verdict = await ended(running, limitMs)
      const failed = verdict === 'failed' ? failedOf(report, folder) : []
      // A run that failed in no test may not have come as far.
      hasTemplate = verdict === 'passed' || failed.length > 0
      return { verdict, failed }
    },
    async compiles() {
      // What it found before is kept, so that one changed file takes it a moment.
      const known = ['--incremental', '--tsBuildInfoFile', join(folder, 'node_modules/.types')]
      const args = [...bin('typescript/bin/tsc'), '-p', 'tsconfig.json', ...known]
      running = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: 'ignore' })
      return ended(running, 600_000)
    },
    interrupt: () => running && kill(running),
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

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

function failedOf(report: string, folder: string): readonly string[] {
  try {
    const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(folder, name))
  } catch {
    return []
  }
}

function ended(child: ChildProcess, limitMs: number): Promise<TestsEnded['verdict']> {
  return new Promise((done) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      kill(child)
    }, limitMs)
    child.once('exit', (code) => {
      clearTimeout(timer)
      done(late ? 'timeout' : code === 0 ? 'passed' : 'failed')
    })
  })
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}
