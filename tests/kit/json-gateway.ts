import mqtt from 'mqtt'

/** A JSON gateway by hand: says what it is told to, and keeps what it hears about firmware. */
export async function jsonGateway(port: number, number: string, secret: string) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: number,
    password: secret,
    reconnectPeriod: 0,
  })
  const received = new Map<string, Buffer>()
  const waiting = new Map<string, (payload: Buffer) => void>()
  const below = `linewarden/v1/${number}/firmware/`
  client.on('message', (topic, payload) => {
    const kind = topic.slice(below.length)
    received.set(kind, payload)
    waiting.get(kind)?.(payload)
  })
  await client.subscribeAsync(`${below}#`, { qos: 1 })
  return {
    publish: (kind: string, value: object) =>
      client.publishAsync(`linewarden/v1/${number}/${kind}`, JSON.stringify(value), { qos: 1 }),
    /** Resolves with what came on a topic below its own `firmware/`, also if it came before. */
    received: (kind: string): Promise<Buffer> =>
      new Promise((resolve) => {
        const there = received.get(kind)
        if (there) resolve(there)
        else waiting.set(kind, resolve)
      }),
    /** Bytes of every piece it got, in the order in which they came. */
    pieces: (): Buffer[] => [...received].flatMap(([kind, payload]) => (kind.startsWith('piece/') ? [payload] : [])),
    end: () => client.end(true),
  }
}
