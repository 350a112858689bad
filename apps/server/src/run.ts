import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Server } from './compose.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'
import { exposuresOf } from './exposure.ts'
import { BadSetting } from './lib/environment.ts'
import { caught, guarded, isOfConnection } from './lib/faults.ts'
import { createLog } from './lib/log.ts'
import { withSecretFiles } from './secret-files.ts'

/** Something that runs beside the server, such as the demo fleet. */
type Beside = (server: Server, print: (line: string) => void) => Promise<Running>

interface Running {
  /** Before the server closes: nothing begins any more. */
  quiesce(): Promise<void>
  /** After it: equipment outlives the server, so that its going is no fault that anybody is notified of. */
  close(): Promise<void>
}

/** What a supervisor takes for "start me again"; scripts/supervise.mjs knows it too. */
const startMeAgain = 70
/** Closing in order may hang on what broke. */
const maxClosingMs = 10_000

/**
 * Runs the server as this process until it is told to stop: reads the settings, composes, prints where it is, and on SIGINT or SIGTERM
 * closes everything in reverse. Exits 1 with one readable message when it cannot start, and 70 when it cannot trust itself any more.
 */
export async function runServer(beside?: Beside): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  let stop: (code?: number) => void = () => {}
  const stopped = new Promise<number>((resolve) => {
    stop = (code = 0) => resolve(code)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop())
  let hungUp: () => void = () => stop()
  process.on('SIGHUP', () => hungUp())
  try {
    const env = withSecretFiles(process.env)
    const config = readConfig(env)
    // The demo is read by a person, wherever its words go.
    const stream = process.stdout.isTTY || beside ? pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }) : undefined
    const log = createLog(config.logLevel, stream ?? process.stdout)
    const server = await compose(config, { log, clock: Date.now, env })
    outliveExceptions(log, () => stop(startMeAgain))
    // On a terminal it says that the terminal has gone; elsewhere it is how a service is told of new certificates.
    if (config.tls || config.mqttTls)
      hungUp = guarded(log, 'process', () => (process.stdin.isTTY ? stop() : server.certificates.renew()))
    const running = beside ? await beside(server, print) : null
    print(banner(server))
    // Not only at its end: whoever is killed starts as quickly.
    flushCompileCache()
    for (const { Said } of exposuresOf(config, server.certificates)) log.warn(`${Said.en} / ${Said.zh}`)
    const code = await stopped
    print('\nStopping ...')
    if (code !== 0) setTimeout(() => process.exit(code), maxClosingMs).unref()
    await running?.quiesce()
    await server.close()
    await running?.close()
    print('Stopped. The data is kept.')
    process.exit(code)
  } catch (error) {
    process.stderr.write(`\nLinewarden could not start.\n${readable(error)}\n`)
    process.exit(1)
  }
}

/**
 * What got past every border. A promise that nobody waited for, or a connection that has gone, leaves nothing half done. Any other exception
 * ended some work in its middle: what memory says of the plant cannot be trusted any more, and is read anew.
 */
function outliveExceptions(log: Logger, restart: () => void): void {
  process.on('unhandledRejection', (error) => caught(log, 'process', error))
  process.on('uncaughtException', (error) => {
    caught(log, 'process', error)
    if (isOfConnection(error)) return
    log.fatal({ err: error }, 'the server cannot trust itself any more: it closes and asks to be started again')
    restart()
  })
}

function banner(server: Server): string {
  const lines = ['', `  Linewarden is ready:  ${server.url}`, `  Gateways connect to:  ${portsOf(server)}`]
  const first = server.accounts.firstPassword
  if (first) {
    lines.push(`  Account:              ${first.userName}`, `  Password:             ${first.password}   (shown this once)`)
  } else lines.push('  Sign in:              with your account; lost password: see docs/operations.md')
  lines.push('  Stop with Ctrl-C.', '')
  return lines.join('\n')
}

const portsOf = ({ mqttPorts: { plain, tls } }: Server): string =>
  [...(plain === null ? [] : [`mqtt port ${plain}`]), ...(tls === null ? [] : [`mqtts port ${tls}`])].join(', ')

function readable(error: unknown): string {
  if (error instanceof BadSetting) return error.message
  if (error instanceof Error) return 'readable' in error ? String(error.readable) : error.message
  return String(error)
}
