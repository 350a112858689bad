import { livePath } from '@linewarden/contract'
import type { Kinds } from './random-bytes.ts'
import { noise, tlsHello } from './random-bytes.ts'

/** What somebody who speaks wrongly says at the HTTP door, at the upgrade door, and over a live socket that was let in. */

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
const head = (line: string, ...headers: string[]) => `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

export const upgrade = (address: string, ...headers: string[]) =>
  head(
    `GET ${address} HTTP/1.1`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
  )

export const brokenRequests: Kinds = [
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
  tlsHello,
  noise,
]

export const brokenUpgrades: Kinds = [
  (random) => upgrade(random.of(addresses)),
  (random) => upgrade(random.of(addresses), `Origin: ${random.of(['null', 'http://', 'https://example.com', '[', ''])}`),
  (random) => head(`GET ${random.of(addresses)} HTTP/1.1`, 'Connection: Upgrade', `Upgrade: ${random.of(['h2c', 'x', ''])}`),
  (random) =>
    head(
      `GET ${livePath}?ticket=x HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Version: ${random.of(['', '0', '14', 'x', '13, 8'])}`,
      `Sec-WebSocket-Key: ${random.of(['', 'x', 'A'.repeat(5_000)])}`,
    ),
  (random) =>
    `${upgrade(`${livePath}?ticket=${'x'.repeat(random.below(9_000))}`)}${random.of(['', 'GET / HTTP/1.1\r\n\r\n', '\u0000'])}`,
  (random) => Buffer.concat([Buffer.from(upgrade(random.of(addresses))), noise(random)]),
]

/** A frame as a client masks it: with zeros, so that its bytes stay. */
function frame(first: number, payload: Buffer, length = payload.length): Buffer {
  const size =
    length < 126
      ? Buffer.from([0x80 | length])
      : Buffer.from([0xff, 0, 0, 0, 0, ...[24, 16, 8, 0].map((by) => (length >>> by) & 0xff)])
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(4), payload])
}

const requests = [
  ...[
    '',
    '{',
    'null',
    '[]',
    '1',
    '"x"',
    '{"t":"watch"}',
    '{"t":"x"}',
    '{"t":"watch","houses":[1.5],"lines":[]}',
    '['.repeat(9_000),
  ],
  ...[
    '{"t":"watch","houses":[1],"lines":null}',
    '{"t":"watch","houses":[1e999],"lines":[-1]}',
    '{"t":["watch"],"houses":[],"lines":[]}',
  ],
] as const

/** What follows once somebody is in. */
export const brokenFrames: Kinds = [
  (random) => frame(0x81, Buffer.from(random.of(requests))),
  (random) => Buffer.concat(Array.from({ length: 60 }, () => frame(0x81, Buffer.from(random.of(requests))))),
  (random) => frame(random.of([0x82, 0x83, 0x8f, 0xf1, 0x80, 0x01, 0x09]), noise(random).subarray(0, 120)),
  (random) => frame(0x81, noise(random)),
  () => frame(0x81, Buffer.alloc(10), 0x7fff_ffff),
  (random) => frame(0x88, random.of([Buffer.from([0]), Buffer.from([0x03, 0xec]), Buffer.from([0xff, 0xff]), Buffer.alloc(125)])),
  () => Buffer.concat(Array.from({ length: 200 }, () => frame(0x89, Buffer.alloc(125)))),
  () => Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
  noise,
]
