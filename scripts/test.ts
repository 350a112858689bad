// `npm test`: what answers within minutes, in the order that fails soonest. `npm run test:long` is everything there is to check. Both end with the
// minutes of each step and one line, `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstallTestBrowser } from './chromium.ts'
import { withPostgres15 } from './postgres-15.ts'

type Settings = Record<string, string | undefined>

const long = process.argv.includes('long')
/** What `npm test` does in the browser, by file and title. */
const daily = 'tests/e2e/daily.txt'
/** In a file of a log, colours are noise. */
const plain: Settings = process.stdout.isTTY ? {} : { NO_COLOR: '1' }
/** Playwright sets FORCE_COLOR for each of its workers, and Node complains of NO_COLOR beside it. */
const plainBrowser: Settings = process.stdout.isTTY ? {} : { NO_COLOR: undefined, FORCE_COLOR: '0' }
const scratch = mkdtempSync(join(tmpdir(), 'linewarden-results-'))
const took: [name: string, ms: number][] = []
let passed = 0
let failed = 0

step('types', () =>
  ['tsconfig.json', 'apps/console/tsconfig.json', 'apps/console/worker/tsconfig.json'].every((each) =>
    program('tsc', ['-p', each]),
  ),
)
step('lint and format', () => program('biome', ['check', '--error-on-warnings', '.']))
step('dead code', () => program('knip', []))
// Each check once, each SQL on both versions: the server's parts on the oldest that we support, the whole house on the one that we bring.
vitest('packages, console and the whole house', [
  ...['packages/', 'scripts/', 'tests/stack/'],
  ...readdirSync('apps').flatMap((app) => (app === 'server' ? [] : [`apps/${app}/`])),
])
await withPostgres15((settings) => {
  if (settings !== null) vitest('the server on PostgreSQL 15', ['apps/server/src'], { TEST_POSTGRES: settings })
  if (settings === null || long) vitest('the server on the embedded PostgreSQL', ['apps/server/src'])
  if (settings !== null && long) vitest('the whole house on PostgreSQL 15', ['tests/stack'], { TEST_POSTGRES: settings })
})
browser(long ? [] : readFileSync(daily, 'utf8').trim().split('\n'))
if (long) step('mutations', () => program('node', ['scripts/mutation.ts']))

rmSync(scratch, { recursive: true, force: true })
for (const [name, ms] of took) process.stdout.write(`${(ms / 60_000).toFixed(1).padStart(6)} min  ${name}\n`)
process.stdout.write(`${(took.reduce((sum, [, ms]) => sum + ms, 0) / 60_000).toFixed(1).padStart(6)} min  together\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

function step(name: string, work: () => boolean): void {
  const ok = timed(name, work)
  if (ok) passed += 1
  else failed += 1
}

function vitest(name: string, filters: string[], env: Record<string, string> = {}): void {
  const report = join(scratch, `${name.replaceAll(' ', '-')}.json`)
  const ok = timed(name, () =>
    program('vitest', ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...filters], env),
  )
  count(ok, () => {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return [numPassedTests, numFailedTests]
  })
}

function browser(titles: readonly string[]): void {
  const report = join(scratch, 'browser.json')
  const ok = timed('browser', () =>
    // Recording what each browser did costs a fifth of the time: whoever runs one file to look at it has it.
    program('playwright', ['test', '--reporter=list,json', '--trace=off', ...(long ? [] : [`--test-list=${daily}`])], {
      ...plainBrowser,
      CHROMIUM_PATH: findOrInstallTestBrowser(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      // Each file is a process that loads the house anew.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    }),
  )
  count(ok, () => {
    const { stats } = JSON.parse(readFileSync(report, 'utf8'))
    const missing = titles.length - stats.expected - stats.unexpected - stats.flaky - stats.skipped
    if (missing > 0)
      process.stderr.write(`${daily} names ${missing} that are there no more: npx playwright test --list says what is\n`)
    return [stats.expected, stats.unexpected + stats.flaky + Math.max(0, missing)]
  })
}

/** A run that ends badly counts as at least one failure, whatever its report says. */
function count(ok: boolean, read: () => [passed: number, failed: number]): void {
  let counted: [number, number] = [0, 0]
  try {
    counted = read()
  } catch {
    process.stderr.write('The run left no report.\n')
  }
  passed += counted[0]
  failed += ok && counted[0] > 0 ? counted[1] : Math.max(1, counted[1])
}

function program(name: string, args: string[], env: Settings = {}): boolean {
  const { status } = spawnSync(name === 'node' ? process.execPath : join('node_modules/.bin', name), args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...plain, ...(long ? { TEST_LONG: 'yes' } : { TEST_DAILY: 'yes' }), ...env },
  })
  return status === 0
}

function timed(name: string, work: () => boolean): boolean {
  process.stdout.write(`\n== ${name}\n`)
  const began = performance.now()
  const ok = work()
  took.push([name, performance.now() - began])
  return ok
}
