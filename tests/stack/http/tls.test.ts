import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import type { LiveMessage } from '@linewarden/contract'
import { gatewayAccess, livePath, liveTicket, operateLine, userInfo } from '@linewarden/contract'
import { testCertificate } from '@linewarden/server/test-certificate'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { tryConnect } from '../../kit/try-connect.ts'

/** A house whose every port speaks TLS, and one beside it that leads to it. */
const first = testCertificate()
const next = testCertificate()
const believed = tls.getCACertificates('default')
let folder: string
let stack: Stack
const put = ({ cert, key }: typeof first) =>
  Promise.all([writeFile(join(folder, 'own.crt'), cert), writeFile(join(folder, 'own.key'), key)])

beforeAll(async () => {
  // What a browser or a gateway has from its maker.
  tls.setDefaultCACertificates([...believed, first.cert, next.cert])
  folder = await mkdtemp(join(tmpdir(), 'linewarden-tls-'))
  await put(first)
  stack = await startStack({
    plan: smallPlan,
    env: {
      LINEWARDEN_TLS_CERT: join(folder, 'own.crt'),
      LINEWARDEN_TLS_KEY: join(folder, 'own.key'),
      LINEWARDEN_HTTP_PORT: '0',
      LINEWARDEN_MQTT_PORT: 'off',
      LINEWARDEN_MQTTS_PORT: '0',
    },
  })
})
afterAll(async () => {
  await stack?.close()
  tls.setDefaultCACertificates(believed)
  await rm(folder, { recursive: true, force: true })
})

test('the console and its calls come by HTTPS, and a browser that comes by 443 is told to come so next time', async () => {
  expect(stack.url).toMatch(/^https:/)
  await expect(stack.client.call(userInfo)).resolves.toMatchObject({ UserName: stack.admin.userName })
  const askedAs = async (host: string) => {
    const [reply] = await once(get(`${stack.url}/health`, { agent: false, headers: { Host: host } }), 'response')
    reply.resume()
    return [reply.statusCode, reply.headers['strict-transport-security']]
  }
  expect(await askedAs('localhost')).toEqual([200, 'max-age=31536000'])
  expect(await askedAs('localhost:443')).toEqual([200, 'max-age=31536000'])
  // By another port it would be led past this server: from http:// to 443, where nobody answers.
  expect(await askedAs(`localhost:${stack.server.port}`)).toEqual([200, undefined])
})

test('gateways are born by MQTT over TLS, their lines are read live by wss, and their settings page says so', async () => {
  const { Ticket } = await stack.client.call(liveTicket)
  const socket = new WebSocket(`${stack.url.replace('https', 'wss')}${livePath}?ticket=${Ticket}`)
  await once(socket, 'open')
  const [house] = stack.server.plant.projects.keys()
  const message = new Promise<LiveMessage>((resolve) =>
    socket.on('message', (bytes) => {
      const line = (JSON.parse(String(bytes)) as LiveMessage[]).find((each) => each.t === 'line' && each.state.At !== null)
      if (line) resolve(line)
    }),
  )
  socket.send(JSON.stringify({ t: 'watch', houses: [house], lines: [] }))
  await expect(message).resolves.toMatchObject({ t: 'line' })
  socket.terminate()
  const { tls: port } = stack.server.mqttPorts
  expect(await stack.client.call(gatewayAccess)).toEqual({ Url: null, Port: port, Tls: true })
  expect(stack.server.mqttPorts.plain).toBeNull()
})

test('whoever comes without TLS is no gateway and no request, and ends nothing', async () => {
  const { mqttPort, port } = stack.server
  await expect(tryConnect(mqttPort, 'GW-1', 'x')).resolves.toBe('cut off')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect(text(socket).catch(() => '')).resolves.toBe('')
  const half = tls.connect({
    port: mqttPort,
    host: '127.0.0.1',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  const [refused] = await once(half, 'error')
  expect(refused.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  await expect(stack.client.call(userInfo)).resolves.toBeDefined()
})

test('a stranger who shakes hands is refused as without TLS', async () => {
  const stranger = { username: 'GW-1', password: 'x', reconnectPeriod: 0 }
  const coming = mqtt.connectAsync(`mqtts://localhost:${stack.server.mqttPort}`, stranger, false)
  await expect(coming).rejects.toMatchObject({ code: 5 })
})

test.each([
  ['a packet that announces more than can be', [0x10, 0xff, 0xff, 0xff, 0x7f]],
  ['a CONNECT of 5,000 bytes', [0x10, 0x88, 0x27]],
  ['anything before a CONNECT', [0x30, 2, 0, 0]],
])('who sends %s behind a handshake is cut off as without TLS', async (_, bytes) => {
  const socket = tls.connect({ port: stack.server.mqttPort, host: 'localhost' })
  await once(socket, 'secureConnect')
  const ended = once(socket, 'close')
  socket.on('error', () => {}).write(Buffer.from(bytes))
  await ended
})

test('plain HTTP leads pages to HTTPS and answers nothing else, in words', async () => {
  const { redirectPort, port } = stack.server
  const plain = `http://localhost:${redirectPort}`
  const page = await fetch(`${plain}/realtime?at=1`, { redirect: 'manual' })
  expect([page.status, page.headers.get('Location')]).toEqual([308, `https://localhost:${port}/realtime?at=1`])
  const head = await fetch(plain, { method: 'HEAD', redirect: 'manual' })
  expect(head.status).toBe(308)
  for (const [path, method] of [
    ['/api/v1/users', 'GET'],
    ['/api/v1/users/login', 'PUT'],
    ['/', 'POST'],
  ] as const) {
    const reply = await fetch(plain + path, { method, redirect: 'manual' })
    expect([reply.status, await reply.json()]).toMatchObject([
      403,
      {
        Message: 'https needed',
        Text: { en: expect.stringContaining(String(port)), zh: expect.stringMatching(/\p{Script=Han}/u) },
      },
    ])
  }
})

test.each(['a b', 'x/../@evil', ''])('a host that cannot be written into an address is led nowhere: %j', async (host) => {
  const socket = connect(stack.server.redirectPort ?? 0, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /)
})

test('a renewed certificate is shown at every port, and gateways that are there stay', async () => {
  const connected = () => [...stack.server.plant.gateways.values()].map((gateway) => stack.server.ingest.isConnected(gateway))
  const shown = async (port: number) => {
    const socket = tls.connect({ port, host: 'localhost' })
    await once(socket, 'secureConnect')
    const serial = socket.getPeerX509Certificate()?.fingerprint256
    socket.destroy()
    return serial
  }
  const ports = [stack.server.port, stack.server.mqttPort]
  const before = await Promise.all(ports.map(shown))
  await put(next)
  await stack.server.certificates.renew()
  const after = await Promise.all(ports.map(shown))
  expect([new Set(before).size, new Set(after).size, new Set([...before, ...after]).size]).toEqual([1, 1, 2])
  expect(new Set(connected())).toEqual(new Set([true]))
})

test('with a certificate that has expired, by a clock that may be wrong, the plant is watched and tripped; administrators are told', async () => {
  const clock = () => Date.now() + 100 * 86_400_000
  const late = await startStack({
    plan: smallPlan,
    clock,
    fleet: { now: clock },
    env: { LINEWARDEN_TLS_CERT: join(folder, 'own.crt'), LINEWARDEN_TLS_KEY: join(folder, 'own.key') },
    expects: /certificate in use is not valid/,
  })
  try {
    const { Exposures } = await late.client.call(userInfo)
    expect(Exposures).toMatchObject([{ Kind: 'certificate', Said: { en: expect.stringContaining('expired on') } }])
    const params = { ControllerID: 'A-T1', LineNo: 3, attr: 'trip' } as const
    await late.client.call(operateLine, { params, body: { CommandID: crypto.randomUUID(), Reason: 'test' } })
    await vi.waitFor(() => expect(late.fleet.executed).toHaveLength(1))
  } finally {
    await late.close()
  }
})
