import { connect } from 'node:net'
import { livePath } from '@linewarden/contract'
import type { Random } from './random.ts'
import { randomOf } from './random.ts'

/** Somebody who speaks wrongly to the HTTP or the upgrade door, or goes away in the middle. */
interface Broken {
  readonly bytes: string | Buffer
  readonly end: 'reset' | 'close' | 'answered'
}

const addresses = [
  '//',
  '///',
  'http://',
  'http://[',
  '/\\',
  '*',
  livePath,
  `${livePath}?ticket=x`,
  '/%',
  '/%zz',
  '/x',
  '',
] as const
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'FOO', 'get'] as const
const ends = ['reset', 'close', 'answered'] as const

const head = (line: string, ...headers: string[]) => `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

const upgrade = (address: string, ...headers: string[]) =>
  head(
    `GET ${address} HTTP/1.1`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
  )

const noise = (random: Random) => Buffer.from(Array.from({ length: 1 + random.below(600) }, () => random.below(256)))

const kinds: readonly [(random: Random) => string | Buffer, ...((random: Random) => string | Buffer)[]] = [
  (random) => upgrade(random.of(addresses)),
  (random) => upgrade(random.of(addresses), `Origin: ${random.of(['null', 'http://', 'https://example.com', '[', ''])}`),
  (random) => head(`GET ${random.of(addresses)} HTTP/1.1`, 'Connection: Upgrade', `Upgrade: ${random.of(['h2c', 'x', ''])}`),
  (random) => head(`${random.of(methods)} ${random.of(addresses)} HTTP/1.1`),
  (random) => head(`${random.of(methods)} /api/v1/users/info HTTP/${random.of(['1.0', '1.1', '2.0', '9', ''])}`),
  // Announced and not sent.
  (random) =>
    `${head(`PUT ${random.of(['/api/v1/users/login', '/api/v1/users/update'])} HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${1 + random.below(3_000)}`)}{`,
  (random) =>
    head(
      'PUT /api/v1/users/login HTTP/1.1',
      `Content-Length: ${random.of(['-1', '1e3', '99999999999999999999', 'x'])}`,
      'Content-Type: application/json',
    ),
  (random) =>
    `${head('PUT /api/v1/users/login HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Type: application/json')}${random.of(['zz\r\n', '5\r\n{', 'ffffffffffffffff\r\n', '0\r\n\r\nGET'])}`,
  (random) => `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(random.of([10, 20_000, 70_000]))}`,
  (random) => head('GET /health HTTP/1.1', `Authorization: ${'A'.repeat(random.below(9_000))}`).repeat(1 + random.below(4)),
  (random) => Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), noise(random)]),
  noise,
]

/** Opens so many connections that are malformed, half or cut off, some at once; resolves when all are over. `answers` counts statuses. */
export async function breakConnections(
  url: string,
  { count, seed, atOnce = 50 }: { count: number; seed: number; atOnce?: number },
): Promise<{ readonly answers: ReadonlyMap<number, number> }> {
  const random = randomOf(seed)
  const port = Number(new URL(url).port)
  const answers = new Map<number, number>()
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const made = random.of(kinds)(random)
      // Some end in the middle of what they would have said.
      const bytes = random.below(4) === 0 ? made.slice(0, random.below(made.length + 1)) : made
      const status = await breakOne(port, { bytes, end: random.of(ends) })
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { answers }
}

/** How long somebody waits for an answer who may have sent no whole request. */
const patienceMs = 300

/** The status that was answered; 0: none. */
function breakOne(port: number, { bytes, end }: Broken): Promise<number> {
  return new Promise((resolve) => {
    let status = 0
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => resolve(status))
    socket.on('data', (data) => {
      status ||= Number(/^HTTP\/1\.[01] (\d{3})/.exec(String(data))?.[1] ?? 0)
      socket.destroy()
    })
    socket.on('connect', () =>
      socket.write(bytes, () => {
        if (end === 'reset') socket.resetAndDestroy()
        else if (end === 'close') socket.destroy()
        else socket.setTimeout(patienceMs, () => socket.resetAndDestroy())
      }),
    )
  })
}
