import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The same engine without what belongs to a window: the browser tests take a third less time in it. */
const shell = '/usr/bin/chromium-headless-shell'
const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Finds a Chromium: CHROMIUM_PATH, then the usual places. On Debian and Ubuntu as root it is installed with its fonts. Throws with what
 * to do when there is none.
 */
export const findOrInstallChromium = (): string => given() ?? firstOf(usual) ?? installed('chromium', usual) ?? none()

/** The browser for the browser tests: the headless shell where there is one (CI installs it), else any Chromium. */
export const findOrInstallTestBrowser = (): string =>
  given() ??
  firstOf([shell]) ??
  (process.env.CI ? installed('chromium-headless-shell', [shell]) : null) ??
  findOrInstallChromium()

function given(): string | null {
  const path = process.env.CHROMIUM_PATH
  if (!path) return null
  if (existsSync(path)) return path
  throw new Error(`CHROMIUM_PATH=${path} does not exist.`)
}

const firstOf = (places: readonly string[]): string | null => places.find((each) => existsSync(each)) ?? null

function installed(name: string, places: readonly string[]): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  process.stderr.write('Installing Chromium for the browser tests ...\n')
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-cjk'],
  ]) {
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  return firstOf(places)
}

function none(): never {
  throw new Error('No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to its program.')
}
