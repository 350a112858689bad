import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'

/** A way through which a test can cut, hold up or send elsewhere what two programs say to each other. */
export interface OpenProxy {
  readonly port: number
  /** Bytes wait, connections stay, nothing is lost. */
  pause(): void
  resume(): void
  /** As when what is behind it stops: connections break off, and nobody listens. */
  takeAway(): Promise<void>
  /** On the same port. */
  bringBack(): Promise<void>
  close(): void
}

/** On a free port of this machine. `toFar` opens the other side of a connection, or answers null where there is none now. */
export async function openProxy(toFar: () => Socket | null): Promise<OpenProxy> {
  const sockets = new Set<Socket>()
  let paused = false
  const server = createServer((near) => {
    const far = toFar()
    if (!far) return void near.destroy()
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      if (paused) from.pause()
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  const port = await listen(0)
  return {
    port,
    pause() {
      paused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      paused = false
      for (const socket of sockets) socket.resume()
    },
    async takeAway() {
      close()
      await once(server, 'close')
    },
    async bringBack() {
      await listen(port)
    },
    close,
  }
}
