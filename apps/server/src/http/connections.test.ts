import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { connectionOptions, limitConnections } from './connections.ts'

const quick = { headMs: 150, requestMs: 300, silentMs: 500, lookEveryMs: 20 }
const apps: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function serve(most = 10) {
  const app = fastify({ ...connectionOptions(quick), forceCloseConnections: true })
  apps.push(app)
  limitConnections(app.server, most, () => false)
  app.post('/', async () => ({}))
  app.get('/', async () => ({}))
  app.get('/long', (_request, reply) => reply.send('x'.repeat(64_000_000)))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  return () => connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
}

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`

test.each([
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\nX: ', '408', 'request too slow'],
  [
    'a body that does not come',
    head('POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100'),
    '408',
    'request too slow',
  ],
  ['what is no request', '\u0016\u0003\u0001nonsense\r\n\r\n', '400', 'request malformed'],
  ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}`, '431', 'body too large'],
])('%s is answered in both languages, and its connection ends', async (_, bytes, status, key) => {
  const socket = (await serve())()
  socket.on('error', () => {})
  socket.write(bytes)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const { Message, Text } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
  expect([Message, Text.zh !== '', Text.en !== '']).toEqual([key, true, true])
})

test('whoever ends in the middle of a request is let go without an answer', async () => {
  const socket = (await serve())()
  socket.on('error', () => {})
  socket.end(`${head('POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100')}{"UserName"`)
  expect(await text(socket)).toBe('')
})

test('whoever does not read an answer is not waited for', async () => {
  const socket = (await serve())()
  socket.on('error', () => {})
  socket.write(head('GET /long HTTP/1.1', 'Host: x'))
  await once(socket, 'readable')
  // The part that came is left where it is, until the other end has had enough.
  const [server] = apps as unknown as { server: { getConnections(done: (error: unknown, count: number) => void): void } }[]
  await expect.poll(() => new Promise((resolve) => server?.server.getConnections((_, count) => resolve(count)))).toBe(0)
  socket.destroy()
})

test('one address holds no more connections than it may, and another one when it gives one back', async () => {
  const open = await serve(2)
  const [first, second, third] = [open(), open(), open()]
  await once(third, 'close')
  first.destroy()
  await once(first, 'close')
  await expect
    .poll(async () => {
      const again = open()
      again.on('error', () => {})
      again.write(head('GET / HTTP/1.1', 'Host: x', 'Connection: close'))
      return text(again).catch(() => '')
    })
    .toMatch(/^HTTP\/1\.1 200 /)
  second.destroy()
})
