import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type Server } from 'node:tls'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Certificates } from './certificates.ts'
import { openCertificates } from './certificates.ts'
import { testCertificate } from './test-certificate.ts'

const day = 86_400_000
let folder: string
let now: number
let logged: string[]
let opened: Certificates
let server: Server
const files = () => ({ cert: join(folder, 'own.crt'), key: join(folder, 'own.key') })
const put = async ({ cert, key }: { cert: string; key: string }) => {
  await writeFile(files().cert, cert)
  await writeFile(files().key, key)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-certificates-'))
  now = Date.now()
  logged = []
})
afterEach(async () => {
  vi.useRealTimers()
  opened.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** One listener with TLS on the files' certificate. */
async function open(first = testCertificate()) {
  await put(first)
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  opened = await openCertificates({ tls: files(), mqttTls: { ...files(), port: 8883 } }, { clock: () => now, log })
  const certificate = opened.console
  if (!certificate) throw new Error('no certificate')
  server = createServer(certificate.options, (socket) => socket.on('error', () => {}).end())
  certificate.renewing(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { certificate, first }
}

const bare = (pem: string) => pem.replace(/\s/g, '')

/** What a stranger is shown now. */
async function shown(): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const pem = socket.getPeerX509Certificate()?.toString() ?? ''
  socket.destroy()
  return bare(pem)
}

async function measured(name: string) {
  const registry = new Registry()
  for (const metric of opened.metrics) registry.registerMetric(metric)
  const found = (await registry.getMetricsAsJSON()).find((each) => each.name === name)
  return found?.values.map(({ labels, value }) => `${labels.listener} ${Math.round(value)}`)
}

test('a new certificate is shown to the next who comes, without a restart, and both listeners count its days', async () => {
  const { first } = await open()
  expect(await shown()).toBe(bare(first.cert))
  const next = testCertificate({ to: now + 60 * day })
  await put(next)
  await opened.renew()
  expect(await shown()).toBe(bare(next.cert))
  expect(await measured('linewarden_certificate_days_left')).toEqual(['console 60', 'mqtt 60'])
})

test('it looks by itself', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { certificate } = await open()
  const taken = new Promise<void>((resolve) => certificate.renewing({ setSecureContext: () => resolve() }))
  await put(testCertificate())
  vi.advanceTimersByTime(60_000)
  await taken
})

test('a bad new pair changes nothing, is told once and counted, and forgotten once it is mended', async () => {
  const { first } = await open()
  const next = testCertificate()
  await writeFile(files().cert, next.cert)
  await opened.renew()
  await opened.renew()
  expect(await shown()).toBe(bare(first.cert))
  expect(logged.filter((line) => /does not belong.*不匹配/.test(line))).toHaveLength(1)
  expect(await measured('linewarden_certificate_refused')).toEqual(['console 1', 'mqtt 1'])
  await writeFile(files().key, next.key)
  await opened.renew()
  expect(await measured('linewarden_certificate_refused')).toEqual(['console 0', 'mqtt 0'])
  expect(await shown()).toBe(bare(next.cert))
})

test('files that have gone, and a new certificate that is not valid, change nothing either', async () => {
  const { first } = await open()
  await put(testCertificate({ to: now - day / 2 }))
  await opened.renew()
  await put(testCertificate({ from: now + day }))
  await opened.renew()
  await rm(files().cert)
  await opened.renew()
  expect(await shown()).toBe(bare(first.cert))
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringContaining('expired on'),
    expect.stringContaining('not valid before'),
    expect.stringContaining('cannot be read (ENOENT)'),
  ])
})

test.each([
  ['has ended', { to: Date.now() - 3 * day }, /expired on.*过期/, ['console -3', 'mqtt -3']],
  [
    'is not valid yet, by a clock that may be wrong',
    { from: Date.now() + day, to: Date.now() + 90 * day },
    /not valid before.*校准/,
    ['console 90', 'mqtt 90'],
  ],
])(
  'one that %s is shown from the start, with an error once a day and in figures, until there is a valid one',
  async (_, dates, words, days) => {
    const { certificate, first } = await open(testCertificate(dates))
    const errors = () => logged.map((line) => JSON.parse(line)).filter(({ level, msg }) => level === 50 && words.test(msg)).length
    await opened.renew()
    expect(await shown()).toBe(bare(first.cert))
    expect([certificate.notValid?.en, errors()]).toEqual([expect.stringMatching(words.source.split('.*')[0] ?? ''), 1])
    expect(await measured('linewarden_certificate_valid')).toEqual(['console 0', 'mqtt 0'])
    expect(await measured('linewarden_certificate_days_left')).toEqual(days)
    // Of two that are not valid the one in the files is shown.
    const other = testCertificate(dates)
    await put(other)
    await opened.renew()
    expect(await shown()).toBe(bare(other.cert))
    const next = testCertificate()
    await put(next)
    await opened.renew()
    expect(await shown()).toBe(bare(next.cert))
    expect(await measured('linewarden_certificate_valid')).toEqual(['console 1', 'mqtt 1'])
  },
)

test('whoever sets a wrong clock back is warned by the right one', async () => {
  now += 400 * day
  await open()
  now -= 311 * day
  await opened.renew()
  expect(logged.map((line) => JSON.parse(line).level)).toEqual([50, 40])
})

test('one that nobody renewed is warned of in its last fourteen days, once a day, and still shown when it has ended', async () => {
  const { certificate, first } = await open(testCertificate({ to: now + 20 * day }))
  const warnings = () => logged.filter((line) => /ends soon|expired on/.test(line)).length
  expect([certificate.isEnding, warnings()]).toEqual([false, 0])
  now += 7 * day
  await opened.renew()
  await opened.renew()
  expect([certificate.isEnding, warnings()]).toEqual([true, 1])
  now += 14 * day
  await opened.renew()
  expect([certificate.daysLeft < 0, warnings()]).toEqual([true, 2])
  expect(await shown()).toBe(bare(first.cert))
})

test('nothing weaker than TLS 1.2 is spoken', async () => {
  await open()
  const { port } = server.address() as AddressInfo
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...old })
  const [error] = await once(socket, 'error')
  expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})
