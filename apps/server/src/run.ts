import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Server } from './compose.ts'
import { compose } from './compose.ts'
import { BadSetting, readConfig } from './config.ts'

/** Something that runs beside the server and is closed before it, such as the demo fleet. */
type Beside = (server: Server, say: (line: string) => void) => Promise<{ close(): Promise<void> }>

/**
 * Runs the server as this process until it is told to stop: reads the settings, composes, prints where it is, and on SIGINT or SIGTERM
 * closes everything in reverse. Exits 1 with one readable message when it cannot start.
 */
export async function runServer(beside?: Beside): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`)
  let stop: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
  try {
    const config = readConfig(process.env)
    const stream = process.stdout.isTTY ? pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }) : undefined
    const log = pino({ level: config.logLevel }, stream ?? process.stdout)
    const server = await compose(config, { log, clock: Date.now, env: process.env })
    const running = beside ? await beside(server, say) : null
    say(banner(server))
    await stopped
    say('\nStopping ...')
    await running?.close()
    await server.close()
    say('Stopped. The data is kept.')
    process.exit(0)
  } catch (error) {
    process.stderr.write(`\nLinewarden could not start.\n${readable(error)}\n`)
    process.exit(1)
  }
}

function banner(server: Server): string {
  const lines = ['', `  Linewarden is ready:  ${server.url}`, `  Gateways connect to:  mqtt port ${server.mqttPort}`]
  const first = server.accounts.firstPassword
  if (first) {
    lines.push(`  Account:              ${first.userName}`, `  Password:             ${first.password}   (shown this once)`)
  }
  lines.push('  Stop with Ctrl-C.', '')
  return lines.join('\n')
}

function readable(error: unknown): string {
  if (error instanceof BadSetting) return error.message
  if (error instanceof Error) return 'readable' in error ? String(error.readable) : error.message
  return String(error)
}
