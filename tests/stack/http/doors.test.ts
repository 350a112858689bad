import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { livePath, liveTicket, userInfo } from '@linewarden/contract'
import { testCertificate } from '@linewarden/server/test-certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Breaking } from '../../kit/broken-connections.ts'
import { breakConnections, doors } from '../../kit/broken-connections.ts'
import { upgrade } from '../../kit/broken-http.ts'
import { connectPacket } from '../../kit/broken-mqtt.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { tryConnect } from '../../kit/try-connect.ts'

/** What strangers, and whoever was let in, can do at the doors. An exception that nothing catches fails this run. */
const certificate = testCertificate()
const believed = tls.getCACertificates('default')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-doors-'))
  await writeFile(join(folder, 'own.crt'), certificate.cert)
  await writeFile(join(folder, 'own.key'), certificate.key)
  tls.setDefaultCACertificates([...believed, certificate.cert])
})
afterAll(async () => {
  tls.setDefaultCACertificates(believed)
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  ['without TLS', false],
  ['with TLS', true],
])('at the doors %s', (_, isTls) => {
  let stack: Stack
  let secret: string
  beforeAll(async () => {
    const env = {
      LINEWARDEN_TLS_CERT: join(folder, 'own.crt'),
      LINEWARDEN_TLS_KEY: join(folder, 'own.key'),
      LINEWARDEN_MQTT_PORT: 'off',
      LINEWARDEN_MQTTS_PORT: '0',
    }
    stack = await startStack({ plan: smallPlan, ...(isTls && { env }) })
    const projectId = [...stack.server.plant.projects.values()][0]?.id ?? 0
    secret = await stack.server.site.enrolGateway({ projectId, number: 'GW-X', name: 'X', reportingPeriodMs: 60_000 })
  })
  afterAll(() => stack?.close())

  const admission = {
    http: {},
    upgrade: {
      admission: {
        number: '',
        bytes: async () => upgrade(`${livePath}?ticket=${(await stack.client.call(liveTicket, {})).Ticket}`),
      },
    },
    mqtt: { admission: { number: 'GW-X', bytes: async () => connectPacket({ number: 'GW-X', secret }) } },
  } satisfies Record<string, Partial<Breaking>>

  test.each(doors)('connections that are malformed, half or cut off end nothing but themselves: %s', async (door) => {
    const { mqttPort, port } = stack.server
    const at = { door, tls: isTls, port: door === 'mqtt' ? mqttPort : port }
    const { answers } = await breakConnections({ ...at, count: 450, seed: 7, ...admission[door] })
    const codes = [...answers.keys()].filter((code) => code !== null)
    expect(codes.filter((code) => code >= 500)).toEqual([])
    // Some were understood, and some of those that may came in.
    expect(codes).toEqual(expect.arrayContaining(door === 'mqtt' ? [0] : door === 'upgrade' ? [101, 401] : [400]))
    await expect(stack.client.call(userInfo)).resolves.toMatchObject({ UserName: stack.admin.userName })
    expect(await tryConnect(mqttPort, 'GW-X', secret, isTls ? 'mqtts' : 'mqtt')).toBe('in')
  })
})
