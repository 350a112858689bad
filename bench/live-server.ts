// A server whose plant moves by itself, for benchmarks of the page: each line's values change once a second, as if its gateway had reported
// them, and go out to the browsers by the server's own live socket. Without broker and database in between, which the other benchmarks
// measure, the machine is left to the browser.
import { hourMs } from '@linewarden/equipment'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { generatedPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import type { PlantLine } from '../apps/server/src/plant/plant.ts'
import { seedPlan } from '../scripts/demo/seed.ts'
import { peopleChosePasswords } from '../tests/kit/chosen-passwords.ts'

/** Portions in which a second's changes come, as gateways report at moments of their own. */
const portions = 20

export interface Order {
  readonly dataDir: string
  readonly gateways: number
  readonly linesPerGateway: number
}

process.on('disconnect', () => process.exit(0))
process.once('message', async ({ dataDir, gateways, linesPerGateway }: Order) => {
  const env = { LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' }
  const server = await compose(readConfig(env), { log: pino({ level: 'warn' }, process.stderr), clock: Date.now, env: {} })
  await peopleChosePasswords(server)
  const plan = generatedPlan({ gateways, linesPerGateway, reportingPeriodMs: hourMs })
  const enrolled = await seedPlan(server, [
    { group: 'bench', name: 'bench', timeZone: 'Asia/Shanghai', standard: 'GB', gateways: plan },
  ])
  process.send?.({ url: server.url, mqttPort: server.mqttPort, admin: server.accounts.firstPassword, gateways: enrolled })
  process.once('message', () => {
    const lines = [...server.plant.lines.values()]
    for (const [index, line] of lines.entries()) if (index % 200 === 0) alarm(line)
    let portion = 0
    setInterval(() => {
      const due = lines.filter((_, index) => index % portions === portion)
      portion = (portion + 1) % portions
      for (const line of due) move(line)
      server.hub.publish({ lines: due })
    }, 1_000 / portions)
    process.send?.({ lines: lines.length })
  })
  process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
})

function move(line: PlantLine): void {
  line.liveAt = line.liveReceivedAt = Date.now()
  for (const { slot, key } of line.device.family.points) {
    const before = line.values[slot] ?? Number.NaN
    if (key !== 'energy') line.values[slot] = (Number.isNaN(before) ? 20 : before) * (0.98 + Math.random() * 0.04)
  }
}

function alarm(line: PlantLine): void {
  line.alarms.set('residual', { eventId: String(line.id), key: 'residual', kind: 'alarm', priority: 'high', point: 'residual' })
}
