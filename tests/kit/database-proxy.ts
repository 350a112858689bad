import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** The way to the run's PostgreSQL, which can be taken away as when its server stops: connections break off, and nobody listens. */
export async function databaseProxy(url: string) {
  const target = new URL(url)
  const [folder, port] = [target.searchParams.get('host'), target.searchParams.get('port')]
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(`${folder}/.s.PGSQL.${port}`)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
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
  const own = await listen(0)
  return {
    /** For DATABASE_URL. */
    url: `postgres://${target.username}@127.0.0.1:${own}${target.pathname}`,
    async takeAway() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
    async bringBack() {
      await listen(own)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
