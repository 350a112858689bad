import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { listEvents, listUnacknowledged, tree } from '@linewarden/contract'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'

const targets = { rows: 55, popUps: 8, criticalP99Ms: 2_000, lost: 0 }
const project = 'storm'
const group = 'storm'

export interface StormSize {
  readonly gateways: number
  /** Behind each. */
  readonly devices: number
  readonly seconds: number
}

/**
 * Gateways die within a minute, each after all that is behind it: what is stored, how many rows and pop-ups are left, and how long a trip
 * elsewhere takes meanwhile from the breaker to the list.
 */
export async function storm({ gateways, devices, seconds }: StormSize) {
  const secrets = new Map<string, string>()
  // A trip a second, each on a cabinet of its own: a short circuit pulls its neighbours' voltage down.
  const target = await field(generatedPlan({ gateways: seconds, linesPerGateway: 1, reportingPeriodMs: 60_000 }), 18_380, {
    seed: async ({ site }) => {
      const cityId = await site.findOrCreateGroup(group)
      const projectId = await site.findOrCreateProject({ cityId, name: project, timeZone: 'UTC', standard: 'GB' })
      for (let i = 0; i < gateways; i++) {
        const number = `ST-${i}`
        secrets.set(number, await site.enrolGateway({ projectId, number, name: number, reportingPeriodMs: 600_000 }))
      }
    },
  })
  const fleet = startFleet(target.gateways, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  try {
    await fleet.ready
    const dying: Dying[] = []
    for (const [number, secret] of secrets) dying.push(await born(target.mqttPort, number, secret, devices))
    process.stderr.write(`${gateways * devices} devices of ${gateways} gateways are there\n`)
    const client = await signedIn(target.url, target.admin)
    return await measure(target, client, fleet, dying, { gateways, devices, seconds })
  } finally {
    await fleet.close()
    await target.close()
  }
}

async function measure(
  target: Field,
  client: Client,
  fleet: ReturnType<typeof startFleet>,
  dying: readonly Dying[],
  { gateways, devices, seconds }: StormSize,
) {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const HouseID = Groups.flatMap(({ Houses }) => Houses).find(({ Name }) => Name === project)?.HouseID ?? 0
  const counts = async () => {
    const [rows, waiting] = await Promise.all([
      client.call(listEvents, { body: { HouseID, Folded: false, Open: true, Size: 1 } }),
      client.call(listUnacknowledged, { body: { HouseID, Size: 1 } }),
    ])
    return { rows: rows.total, popUps: waiting.total }
  }
  const critical: Promise<number>[] = []
  const lines = [...fleet.gateways.values()].flatMap((gateway) => gateway.lines())
  const began = performance.now()
  const deaths = Promise.all(
    dying.map(async (gateway, i) => {
      await wait((i * seconds * 1_000) / dying.length)
      await gateway.die()
    }),
  )
  let maxRows = 0
  for (const [second, line] of lines.entries()) {
    await wait(Math.max(0, second * 1_000 - (performance.now() - began)))
    critical.push(tripToList(client, fleet, line))
    if (second % 5 === 0) maxRows = Math.max(maxRows, (await counts()).rows)
  }
  await deaths
  const wanted = gateways * (devices + 1)
  const database = await target.database()
  const stored = async () => {
    const { rows } = await database.query<{ stored: number }>(
      `select count(*)::int as stored from event where key in ('device.offline', 'gateway.offline') and state = 'active'`,
    )
    return rows[0]?.stored ?? 0
  }
  let left = await counts()
  for (let i = 0; i < 60 && ((await stored()) < wanted || left.rows > targets.rows); i++) {
    await wait(500)
    left = await counts()
  }
  const settledS = Math.round((performance.now() - began) / 100) / 10
  const lost = wanted - (await stored())
  await database.end()
  const took = await Promise.all(critical)
  const criticalP99Ms = Math.round(percentile(took, 0.99))
  return {
    figures: {
      ...{ alarms: wanted, lost, ...left, maxRows, settledS },
      ...{ criticals: took.length, criticalP99Ms, criticalMaxMs: Math.round(Math.max(...took)), targets },
    },
    verdict: lost === 0 && left.rows <= targets.rows && left.popUps <= targets.popUps && criticalP99Ms <= targets.criticalP99Ms,
  }
}

/** Milliseconds from a short circuit to its trip in the list; a trip that is not there after half a minute took that long. */
async function tripToList(client: Client, fleet: ReturnType<typeof startFleet>, at: { controllerId: string; lineNo: number }) {
  const began = performance.now()
  fleet.run('shortCircuit', at)
  while (performance.now() - began < 30_000) {
    const { total } = await client.call(listEvents, {
      body: { ControllerID: at.controllerId, Keys: ['trip.short'], Open: true, Size: 1 },
    })
    if (total > 0) break
    await wait(50)
  }
  return performance.now() - began
}

interface Dying {
  /** Its devices say that they go, and then its connection is cut. */
  die(): Promise<void>
}

async function born(port: number, number: string, secret: string, devices: number): Promise<Dying> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    ...{ username: number, password: secret, reconnectPeriod: 0, keepalive: 600 },
    will: { topic: edgeTopic(group, 'NDEATH', number), payload: Buffer.from(payload([bdSeq()])), qos: 1, retain: false },
  })
  client.on('error', () => {})
  let seq = 0
  const nextSeq = () => {
    seq = (seq + 1) % 256
    return seq
  }
  const names = Array.from({ length: devices }, (_, i) => `${number}-${i}`)
  await publish(client, edgeTopic(group, 'NBIRTH', number), payload([bdSeq()], 0))
  await Promise.all(
    names.map((name) => publish(client, deviceTopic(group, 'DBIRTH', number, name), payload(deviceMetrics, nextSeq()))),
  )
  return {
    async die() {
      await Promise.all(names.map((name) => publish(client, deviceTopic(group, 'DDEATH', number, name), payload([], nextSeq()))))
      client.stream.destroy()
      client.end(true)
    },
  }
}

const publish = (client: MqttClient, topic: string, bytes: Uint8Array) =>
  client.publishAsync(topic, Buffer.from(bytes), { qos: 1 })
const payload = (metrics: Parameters<typeof encodePayload>[0]['metrics'], seq?: number) =>
  encodePayload({ timestampMs: Date.now(), metrics, ...(seq !== undefined && { seq }) })
const bdSeq = () => metric({ name: 'bdSeq', type: DataType.Int64, value: 0 })
const deviceMetrics = [
  metric({ name: 'info/model', type: DataType.String, value: '3PN' }),
  metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 63 }),
  metric({ name: '1/position', type: DataType.Int32, value: 1 }),
  metric({ name: '1/current.a', type: DataType.Float, value: 10, alias: 1 }),
]
