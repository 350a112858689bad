// One flood from one address, as a process of its own: the parent says which and for how long, and gets the number of tries at the end.

import type { ClientRequest } from 'node:http'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { livePath, login, operateLine } from '@linewarden/contract'
import WebSocket from 'ws'
import type { FloodKind, FloodOrder } from './flood-kinds.ts'

/** Another loopback address than the probes': limits by address are not theirs. */
const localAddress = '127.0.0.66'
let tries = 0

const floods: Readonly<Record<FloodKind, (order: FloodOrder, until: number) => Promise<void>>> = {
  /** A megabyte of empty arrays, signed by nobody. */
  bodies: ({ port }, until) => {
    const body = `[${'[],'.repeat(349_000)}[]]`
    const authorization = Buffer.from(
      JSON.stringify({ Nonce: 'aaaaaa', TimeStamp: Math.floor(Date.now() / 1_000), UserID: '1', Signature: 'f'.repeat(64) }),
    ).toString('base64')
    const path = `/api/v1${operateLine.path.replace(':ControllerID', 'X').replace(':LineNo', '1').replace(':attr', 'trip')}`
    return together(8, until, () => call(port, 'PUT', path, body, { authorization }))
  },
  /** A body that is announced and never comes. */
  halfBodies: async ({ port }, until) => {
    const sockets: Socket[] = []
    while (Date.now() < until && sockets.length < 5_000) {
      const socket = open(port)
      socket.write(
        `PUT /api/v1${login.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"UserName"`,
      )
      sockets.push(socket)
      if (sockets.length % 50 === 0) await wait(10)
    }
    await wait(Math.max(0, until - Date.now()))
    for (const socket of sockets) socket.destroy()
  },
  /** A publish of a quarter of a gigabyte, announced before anybody signed in. */
  oversize: ({ mqttPort }, until) =>
    together(64, until, async () => {
      const socket = open(mqttPort)
      socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]))
      await ended(socket)
    }),
  /** A sign-in packet of 1.2 MiB that never ends. */
  bigConnects: async ({ mqttPort }, until) => {
    const sockets: Socket[] = []
    const bytes = Buffer.alloc(1_200_000, 0x61)
    bytes.set([0x10, 0xff, 0xff, 0x4b, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 0xc2, 0, 60, 0xff, 0xff])
    while (Date.now() < until && sockets.length < 300) {
      const socket = open(mqttPort)
      socket.write(bytes)
      sockets.push(socket)
      await wait(10)
    }
    await wait(Math.max(0, until - Date.now()))
    for (const socket of sockets) socket.destroy()
  },
  /** One password over many accounts, known and unknown. */
  signIns: ({ port }, until) =>
    together(64, until, (i) => {
      const UserName = i % 4 === 0 ? 'admin' : `139${String(10_000_000 + i)}`
      const body = JSON.stringify({ UserName, Password: 'd8578edf8458ce06fbc5bb76a58c5ca4' })
      return call(port, login.method, `/api/v1${login.path}`, body, {})
    }),
  /** Upgrades that are no URL, and are reset before they are answered. */
  upgrades: ({ port }, until) =>
    together(64, until, async (i) => {
      const socket = open(port)
      const path = ['//', '/x', `${livePath}?ticket=x`, 'http://['][i % 4]
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
      if (i % 2 === 0) socket.resetAndDestroy()
      await ended(socket)
    }),
  /** Somebody signed in asks for another view as fast as the sockets take it. */
  watch: async ({ port, tickets }, until) => {
    const message = JSON.stringify({ t: 'watch', houses: [1], lines: Array.from({ length: 200 }, (_, i) => i + 1) })
    await Promise.all(
      tickets.map(async (ticket) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${livePath}?ticket=${ticket}`, { localAddress })
        socket.on('error', () => {})
        await new Promise((resolve) => socket.once('open', resolve).once('close', resolve))
        while (Date.now() < until && socket.readyState === WebSocket.OPEN) {
          for (let i = 0; i < 20; i++) socket.send(message)
          tries += 20
          await wait(1)
        }
        socket.terminate()
      }),
    )
  },
}

process.once('message', async (order: FloodOrder) => {
  await floods[order.kind](order, Date.now() + order.seconds * 1_000)
  process.send?.({ tries })
  process.disconnect()
})

async function together(width: number, until: number, work: (index: number) => Promise<void>): Promise<void> {
  let index = 0
  const one = async () => {
    while (Date.now() < until) await work(index++)
  }
  await Promise.all(Array.from({ length: width }, one))
}

function open(port: number): Socket {
  tries += 1
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => socket.destroy())
  return socket
}

/** Resolves when the other side has ended it, or after two seconds. */
async function ended(socket: Socket): Promise<void> {
  socket.resume()
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.setTimeout(2_000, () => socket.destroy())
  })
}

function call(port: number, method: string, path: string, body: string, headers: Record<string, string>): Promise<void> {
  tries += 1
  return new Promise((resolve) => {
    const sent: ClientRequest = request(
      { host: '127.0.0.1', port, method, path, localAddress, headers: { 'content-type': 'application/json', ...headers } },
      (reply) => reply.resume().once('close', () => resolve()),
    )
    sent.once('error', () => resolve())
    sent.setTimeout(20_000, () => sent.destroy())
    sent.end(body)
  })
}
