// A server of its own for `npm run bench linkage`. By IPC it is asked when what happens on lines was committed, by the clock by which it stamps
// its orders, and what it has used of the processor: { watch }, { committed }, { used }.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { ProjectPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import type { PlantLine } from '../apps/server/src/plant/plant.ts'
import { seedPlan } from '../scripts/demo/seed.ts'
import { registerDevices } from '../scripts/demo/seed-past.ts'
import { peopleChosePasswords } from '../tests/kit/chosen-passwords.ts'
import type { Edge } from './linkage-plan.ts'
import { edges } from './linkage-plan.ts'

export type Order = { readonly dataDir: string; readonly plan: readonly ProjectPlan[] }
export type Asked =
  | { readonly watch: readonly { readonly lineId: number; readonly edge: Edge }[] }
  | { readonly committed: true }
  | { readonly used: true }
export type Used = { readonly cpu: NodeJS.CpuUsage; readonly readings: number; readonly loopDelayP99Ms: number }
/** By the id of a line. */
export type CommittedAt = readonly (readonly [lineId: number, at: number])[]

process.on('disconnect', () => process.exit(0))
process.once('message', async ({ dataDir, plan }: Order) => {
  const env = { LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' }
  const log = pino({ level: 'warn' }, process.stderr)
  const server = await compose(readConfig(env), { log, clock: Date.now, env: {} })
  const admin = server.accounts.firstPassword
  await peopleChosePasswords(server)
  const gateways = await seedPlan(server, plan)
  await registerDevices(server, gateways)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const watched = new Map<number, Edge>()
  const committed = new Map<number, number>()
  server.hub.subscribe(({ lines = [] }) => {
    for (const line of lines) {
      const edge = watched.get(line.id)
      if (edge === undefined || committed.has(line.id) || !isThere(line, edge)) continue
      committed.set(line.id, Date.now())
    }
  })
  process.on('message', (asked: Asked) => {
    if ('watch' in asked) {
      for (const { lineId, edge } of asked.watch) watched.set(lineId, edge)
      process.send?.(true)
    } else if ('committed' in asked) process.send?.([...committed] satisfies CommittedAt)
    else {
      const loopDelayP99Ms = Math.round(delay.percentile(99) / 1e5) / 10
      delay.reset()
      process.send?.({ cpu: process.cpuUsage(), readings: server.ingest.status().Readings, loopDelayP99Ms } satisfies Used)
    }
  })
  process.send?.({ url: server.url, mqttPort: server.mqttPort, gateways, admin })
  process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
})

/** Read from the plant, apart from the linkages. */
function isThere(line: PlantLine, edge: Edge): boolean {
  const { key, value } = edges[edge]
  if (edge === 'alarm') return [...line.alarms.values()].some((alarm) => alarm.key === key)
  const { points, states } = line.device.family
  if (edge === 'state') return line.states.get(key) === states.find((state) => state.key === key)?.values[value]?.key
  return (line.values[points.find((point) => point.key === key)?.slot ?? -1] ?? 0) > value
}
