import type { EventRecord } from '@linewarden/contract'
import { listEvents, listIncidents } from '@linewarden/contract'
import { seededRandom } from '@linewarden/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JsonBoard } from '../../kit/faults/json-board.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Incomers trip over the real wire. What their branches report comes in any order, up to half a minute late, and some of it twice. Each is to
// be one incident with its trip as root; what endangers people, what hangs on another supply and what trips by itself stands beside it.
// `TRIPS_SEED=7` deals otherwise; the long run has a hundred boards.
const boards = Number(process.env.TRIPS_BOARDS ?? (process.env.TEST_LONG ? 100 : 8))
const seed = Number(process.env.TRIPS_SEED ?? 1)
const random = seededRandom(seed)
const secondMs = 1_000
/** Line 1 feeds those after it, up to the last but one; the last has a supply of its own. */
const linesOfBoard = 12
const startedAt = Date.now()
let now = startedAt
let stack: Stack
const sites: JsonBoard[] = []

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now })
  await stack.fleet.close()
  const projectId = [...stack.server.plant.projects.values()][0]?.id ?? expect.fail('the small plan has projects')
  for (let i = 0; i < boards; i++) {
    const number = `TR-${i}`
    const secret = await stack.server.site.enrolGateway({ projectId, number, name: number, reportingPeriodMs: 600_000 })
    const site = new JsonBoard(number, secret, linesOfBoard, () => stack.server.mqttPort)
    await site.birth(startedAt - 60 * secondMs)
    sites.push(site)
  }
  await stack.server.ingest.drained()
  const db = await stack.server.database.connect()
  await db.query(
    `update line set fed_by = feeder.line_id from line feeder join device using (device_id)
     where line.device_id = feeder.device_id and controller_id like 'TR-%' and feeder.line_no = 1 and line.line_no between 2 and $1`,
    [linesOfBoard - 1],
  )
  await db.query('delete from event; delete from incident')
  await db.end()
  calm(stack)
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.end()))
  await stack?.close()
})

interface Message {
  /** When it arrives. */
  readonly comes: number
  readonly send: () => Promise<void>
}

/** What happens on a board, and what is to be made of it. */
function tripOf(site: JsonBoard, index: number) {
  const at = startedAt + index * 2 * secondMs + Math.floor(random() * secondMs)
  const late = () => Math.floor(random() * 30 * secondMs)
  const messages: Message[] = []
  /** In its own order, which is that of its clock; of every other line it comes in any order. */
  const comes = (from: number, delay: number, send: () => Promise<void>) => {
    messages.push({ comes: from + delay, send })
    if (random() < 0.3) messages.push({ comes: from + delay + late(), send })
  }
  comes(at, late(), () => site.trips(1, at))
  const children: number[] = []
  const isLow = (line: number, from: number) => {
    const delay = late()
    for (const after of [0, 1_500])
      comes(from + after, delay, () => site.report(from + after, { [`${line}/voltage.a`]: 90 + line }))
  }
  for (let line = 2; line < linesOfBoard; line++) {
    // Behind some motors feed back a while; the others are dead at once, and a dead line has no undervoltage.
    if (random() < 0.7) {
      children.push(line)
      isLow(line, at + Math.floor(random() * 8 * secondMs))
    } else comes(at, late(), () => site.report(at + 200, { [`${line}/voltage.a`]: 0 }))
  }
  const beside: string[] = []
  if (random() < 0.5) {
    beside.push(`${linesOfBoard} voltage.under`)
    isLow(linesOfBoard, at + secondMs)
  }
  const own = children.find(() => random() < 0.1)
  if (own !== undefined) {
    beside.push(`${own} trip.short`)
    comes(at + 10 * secondMs, late(), () => site.trips(own, at + 10 * secondMs))
  }
  if (random() < 0.5) {
    beside.push('0 smoke.alarm')
    const smoke = at + Math.floor(random() * 5 * secondMs)
    comes(smoke, late(), () => site.report(smoke, { 'smoke.alarm': 'alarm' }, site.smoke))
  }
  return { messages, children: children.map((line) => `${line} voltage.under`).toSorted(), beside: beside.toSorted() }
}

test(
  'each upstream trip is one incident with its trip as root, whatever its branches say when; dangers stand beside it',
  async () => {
    const truths = sites.map(tripOf)
    for (const { comes, send } of truths.flatMap(({ messages }) => messages).toSorted((a, b) => a.comes - b.comes)) {
      now = Math.max(now, comes)
      await send()
    }
    await stack.server.ingest.drained()
    const client = await signedIn(stack.url, stack.admin, () => now)
    const named = ({ LineNo, Key }: EventRecord) => (LineNo === null ? Key : `${LineNo} ${Key}`)
    const found = async () => {
      const made = []
      for (const site of sites) {
        const gateway = stack.server.plant.gatewayByNumber.get(site.number)
        const { items } = await client.call(listEvents, { body: { DeviceID: gateway?.id ?? 0, Open: true, Size: 200 } })
        const roots = items.filter(({ Role }) => Role === 'root')
        const children = items.filter(({ Suppressed }) => Suppressed === 'incident')
        made.push({
          roots: roots.map(named),
          children: children.map(named).toSorted(),
          beside: items
            .filter((each) => !roots.includes(each) && !children.includes(each))
            .map(named)
            .toSorted(),
        })
      }
      return made
    }
    const expected = truths.map(({ children, beside }) => ({
      roots: children.length > 0 ? ['1 trip.short'] : [],
      children,
      beside: children.length > 0 ? beside : ['1 trip.short', ...beside].toSorted(),
    }))
    await expect.poll(found).toEqual(expected)
    const incidents = await client.call(listIncidents, { body: { Open: true, Size: 200 } })
    expect(incidents.items.filter(({ Kind }) => Kind === 'upstreamTrip')).toHaveLength(
      expected.filter(({ roots }) => roots.length > 0).length,
    )
  },
  process.env.TEST_LONG ? 600_000 : 60_000,
)
