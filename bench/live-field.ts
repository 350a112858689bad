import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayPlan } from '@linewarden/simulator'
import type { Order } from './live-server.ts'

export interface LiveField {
  readonly url: string
  readonly admin: { readonly userName: string; readonly password: string }
  readonly lines: number
  close(): Promise<void>
}

/** Starts the moving server in a process of its own; every gateway is born over MQTT first and stays connected. */
export async function liveField(size: Omit<Order, 'dataDir'>): Promise<LiveField> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-live-'))
  const server = fork('bench/live-server.ts', { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  server.send({ ...size, dataDir } satisfies Order)
  const [{ url, mqttPort, admin, gateways }] = (await once(server, 'message')) as [
    { url: string; mqttPort: number; admin: LiveField['admin']; gateways: readonly GatewayPlan[] },
  ]
  const births = fork('bench/traffic.ts', { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  births.send({
    port: mqttPort,
    perSecond: 0.001,
    seconds: 86_400,
    gateways: gateways.map(({ number, secret, devices }) => ({
      number,
      secret,
      controllerId: devices[0]?.controllerId ?? '',
      lines: devices[0]?.lines.length ?? 0,
    })),
  })
  // It reports for the first time a second after the last birth was acknowledged.
  await once(births, 'message')
  server.send('move')
  const [{ lines }] = (await once(server, 'message')) as [{ lines: number }]
  return {
    url,
    admin,
    lines,
    async close() {
      births.kill()
      server.kill('SIGTERM')
      await once(server, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
