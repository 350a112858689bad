import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Fleet } from '../fleet.ts'
import type { ControlReply, ControlRequest } from './requests.ts'
import { controlOf } from './requests.ts'

/** A request is one line of JSON; an incident of an hour fits, a runaway does not. */
const requestAtMost = 64 * 1024 * 1024
/** The system allows about a hundred characters for the path of a socket. */
const pathAtMost = 100

/** Where the fleet that runs on a data folder listens. Only this machine, and only this user. */
export function controlPath(dataDir: string): string {
  const folder = resolve(dataDir)
  const short = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\linewarden-simulator-${short}`
  const path = join(folder, 'simulator.sock')
  return path.length <= pathAtMost ? path : join(tmpdir(), `linewarden-${short}.sock`)
}

/** Lets people of this machine put faults into a running fleet: `npm run simulate`. It reaches the simulated plant and nothing else. */
export async function openControl(
  fleet: Fleet,
  dataDir: string,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  const path = controlPath(dataDir)
  const control = controlOf(fleet, onError)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      if (text.length > requestAtMost) socket.destroy()
      const end = text.indexOf('\n')
      if (end < 0) return
      const line = text.slice(0, end)
      text = ''
      void answer(line).then((reply) => socket.end(`${JSON.stringify(reply)}\n`))
    })
  })
  // The data folder is locked by its server, so a socket that is there already is a dead one.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(path, ready)
  })
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return {
    async close() {
      control.stop()
      for (const socket of open) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }

  async function answer(line: string): Promise<ControlReply> {
    try {
      return { ok: true, text: await control.answer(JSON.parse(line) as ControlRequest) }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Asks the fleet that runs on a data folder. */
export function askControl(dataDir: string, request: ControlRequest): Promise<ControlReply> {
  return new Promise((answered, failed) => {
    const socket = connect(controlPath(dataDir), () => socket.write(`${JSON.stringify(request)}\n`))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('error', () =>
      failed(
        new Error(`no demo is running on ${resolve(dataDir)}: start one with npm start (LINEWARDEN_DATA names another folder)`),
      ),
    )
    socket.on('end', () => {
      if (text === '') failed(new Error('the demo ended before it answered'))
      else answered(JSON.parse(text) as ControlReply)
    })
  })
}
