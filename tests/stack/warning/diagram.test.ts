import { setFeed } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, startStack } from '../../kit/stack.ts'

// A voltage where the single-line diagram has none. Samples are the test's, on a clock of its own.
type PlantLine = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

let now = Date.UTC(2026, 10, 24, 4)
let stack: Stack
let links: 'online' | 'offline' = 'online'

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, expects: /early warning/ })
  await stack.client.call(setFeed, {
    params: { ControllerID: 'A-T1', LineNo: 3 },
    body: { FedBy: { ControllerID: 'A-T1', LineNo: 1 }, Was: null },
  })
  await stack.fleet.close()
  await stack.server.ingest.drained()
  calm(stack)
  // It looks when the test says so, and at no moment between two steps.
  await stack.server.warning.diagrams.close()
  for (const gateway of stack.server.plant.gateways.values()) {
    // Nothing is silent for as long as it takes.
    gateway.reportingPeriodMs = 3_600_000
    linkedAsGiven(gateway)
    for (const device of gateway.devices.values()) {
      device.reportingPeriodMs = null
      linkedAsGiven(device)
    }
  }
})
afterAll(() => stack?.close())

/** The test says how links stand, whatever the server finds of a fleet that has gone. */
const linkedAsGiven = (equipment: { link: unknown }): unknown =>
  Object.defineProperty(equipment, 'link', { get: () => links, set: () => {} })

function lineOf(lineNo: number): PlantLine {
  const line = stack.server.plant.lineAt('A-T1', lineNo)
  if (!line) throw new Error('the small plan has eight lines')
  return line
}

/** What the lines of the plant say, all at the same moment. */
function reports(lineNo: number, position: 'open' | 'closed', volts: number): void {
  const line = lineOf(lineNo)
  line.states.set('position', position)
  for (const { quantity, slot } of line.device.family.points) if (quantity === 'voltage') line.values[slot] = volts
  line.liveAt = now
  line.liveReceivedAt = now
}

const findings = async () => {
  await stack.server.warning.book.write()
  const db = await stack.server.database.connect()
  const { rows } = await db.query<{ line_id: number; state: string; value: number }>(
    `select line_id, state, value from event where key = 'diagram.disagrees' order by event_id`,
  )
  await db.end()
  return rows.map(({ line_id, state, value }) => [line_id, state, Number(value)])
}

/** Ten seconds go on, all lines say the same again, and the diagram is looked at. */
async function goesOn(
  times: number,
  incomer: 'open' | 'closed',
  volts: number,
  link: 'online' | 'offline' = 'online',
): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    now += 10_000
    links = link
    for (const lineNo of [1, 2]) reports(lineNo, lineNo === 1 ? incomer : 'closed', 230)
    reports(3, 'closed', volts)
    await stack.server.warning.diagrams.look()
  }
}

test('a voltage behind an open switch is one finding after a minute, on the line that measures it, and returns when it agrees for one', async () => {
  await goesOn(3, 'closed', 230)
  await goesOn(6, 'open', 231)
  expect(await findings()).toEqual([])
  await goesOn(3, 'open', 231)
  expect(await findings()).toEqual([[lineOf(3).id, 'active', 231]])
  await goesOn(6, 'open', 0)
  expect((await findings()).map(([, state]) => state)).toEqual(['active'])
  await goesOn(3, 'open', 0)
  expect((await findings()).map(([, state]) => state)).toEqual(['returned'])
})

test('of a switch whose gateway is away nothing is known, and nothing is found', async () => {
  await goesOn(1, 'closed', 230)
  await goesOn(12, 'open', 231, 'offline')
  expect((await findings()).map(([, state]) => state)).toEqual(['returned'])
})
