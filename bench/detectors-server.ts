// A server on whose live detectors an order by IPC switches off and on, so that both are measured in one process: { watching }. Each answer
// says what the process has used of the processor so far, and of how many lines it has committed values.
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { generatedPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import { LiveDetectors } from '../apps/server/src/areas/warning/live.ts'
import { seedPlan } from '../scripts/demo/seed.ts'
import { peopleChosePasswords } from '../tests/kit/chosen-passwords.ts'

export type Order = { readonly dataDir: string; readonly gateways: number; readonly linesPerGateway: number }
export type Watching = { readonly watching: boolean }
export type Used = { readonly cpu: NodeJS.CpuUsage; readonly messages: number }

process.on('disconnect', () => process.exit(0))
process.once('message', async ({ dataDir, ...size }: Order) => {
  const env = { LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' }
  const log = pino({ level: 'warn' }, process.stderr)
  const server = await compose(readConfig(env), { log, clock: Date.now, env: {} })
  await peopleChosePasswords(server)
  const plan = generatedPlan(size)
  const enrolled = await seedPlan(server, [{ group: 'bench', name: 'bench', timeZone: 'UTC', standard: 'GB', gateways: plan }])
  const { rules, book } = server.warning
  const start = () => LiveDetectors.start({ ...server, clock: Date.now, log, rules }, book)
  let live: LiveDetectors | null = server.warning.live
  let messages = 0
  server.hub.subscribe(({ lines }) => {
    messages += lines?.length ?? 0
  })
  process.on('message', async ({ watching }: Watching) => {
    if (!watching) await live?.close()
    live = watching ? (live ?? (await start())) : null
    const used: Used = { cpu: process.cpuUsage(), messages }
    process.send?.(used)
  })
  process.send?.({ mqttPort: server.mqttPort, gateways: enrolled })
  process.on('SIGTERM', () => {
    const closing = live ? live.close() : Promise.resolve()
    void closing.then(() => server.close()).then(() => process.exit(0))
  })
})
