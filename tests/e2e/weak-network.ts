import { connect, createServer, type Server, type Socket } from 'node:net'

export interface WeakNetwork {
  /** The address of the server through this network. */
  readonly url: string
  /** Ends every connection and takes no new ones. */
  cut(): Promise<void>
  /**
   * The machine sleeps, and finds when it wakes: its live connection is open, and dead for all that comes or goes. Those that carried
   * requests the browser has let go; new ones pass when it is awake.
   */
  sleep(): void
  /** Whatever is sent is lost, and nothing is refused: all connections are open and dead, new ones too. */
  swallow(): void
  wake(): void
  heal(): Promise<void>
  close(): Promise<void>
}

/** A network between browser and server that can be cut, or sleep with its machine; the server notices nothing but lost connections. */
export async function weakNetwork(serverUrl: string): Promise<WeakNetwork> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const pairs = new Set<{ near: Socket; far: Socket; isLive: boolean }>()
  let asleep = false
  let swallowing = false
  let server = await listen(0)
  const own = (server.address() as { port: number }).port
  return {
    url: `http://127.0.0.1:${own}`,
    cut: () => stop(),
    sleep() {
      asleep = true
      for (const { near, far, isLive } of pairs) {
        if (!isLive) near.destroy()
        near.unpipe()
        far.unpipe()
      }
    },
    swallow() {
      swallowing = true
      for (const { near, far } of pairs) {
        near.unpipe()
        far.unpipe()
      }
    },
    wake() {
      asleep = false
      swallowing = false
    },
    async heal() {
      server = await listen(own)
    },
    close: () => stop(),
  }

  function listen(at: number): Promise<Server> {
    const listening = createServer((near) => {
      if (asleep) {
        near.destroy()
        return
      }
      if (swallowing) {
        sockets.add(near.on('error', () => {}).on('close', () => sockets.delete(near)))
        return
      }
      const far = connect(Number(port), hostname)
      const pair = { near, far, isLive: false }
      pairs.add(pair)
      near.on('data', (bytes) => {
        if (/^upgrade: websocket/im.test(bytes.toString('latin1'))) pair.isLive = true
      })
      for (const each of [near, far]) {
        sockets.add(each)
        each.on('error', () => {})
        each.on('close', () => {
          sockets.delete(each)
          pairs.delete(pair)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far).pipe(near)
    })
    return new Promise((ready) => listening.listen(at, '127.0.0.1', () => ready(listening)))
  }

  function stop(): Promise<void> {
    const closed = new Promise<void>((done) => server.close(() => done()))
    for (const each of sockets) each.destroy()
    return closed
  }
}
