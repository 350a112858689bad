import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A network between gateways and broker that can stand still: bytes wait, connections stay, nothing is lost. */
export async function pausingProxy(targetPort: number): Promise<{ port: number; pause(): void; resume(): void; close(): void }> {
  const sockets = new Set<Socket>()
  let paused = false
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    pause() {
      paused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      paused = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
