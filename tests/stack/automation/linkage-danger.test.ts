import { getLinkage, updateLinkage } from '@linewarden/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// A danger acts by itself, whatever else a linkage reads, and nothing is closed after one: a gateway with all that finds dangers.
const circuit = { ratedCurrentA: 40, load: 'office' } as const
const detectors = [
  { controllerId: 'A-G1', family: 'gas', model: 'GAS-1', name: '燃气', lines: [] },
  { controllerId: 'A-H1', family: 'arcDetector', model: 'ARCM620', name: '电弧', circuit, lines: [] },
  { controllerId: 'A-R1', family: 'detectorRs', model: 'TCQ-RS', name: '电气火灾', circuit, lines: [] },
  { controllerId: 'A-X1', family: 'currentLimiter', model: 'AESP', name: '限流', circuit, lines: [] },
]
const plan = linkagePlan.map((project) => ({
  ...project,
  gateways: project.gateways.map((each) =>
    each.number === 'GW-A' ? { ...each, devices: [...each.devices, ...detectors] } : each,
  ),
}))

let house: LinkageHouse
const made: number[] = []
beforeAll(async () => {
  house = await startLinkageHouse({ plan })
})
afterAll(() => house?.stack.close())
afterEach(async () => {
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  for (const LinkageID of made.splice(0)) await house.gone(LinkageID)
})

const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const

async function either(own: Partial<LinkageBody> = {}): Promise<number> {
  const { LinkageID } = await house.made('烟感或过流', {
    ...{ Match: 'any', Conditions: [above(3), smoke], Actions: [does('trip', 1)], ...own },
  })
  made.push(LinkageID)
  await house.reported()
  return LinkageID
}
const opens = () => house.stands(1, 'open')
async function closedAgain(): Promise<void> {
  house.line(1).position = 'closed'
  await house.reported()
}
/** What the test before did is over. Only where something acts: a session does not last for many of these. */
async function calm(): Promise<void> {
  house.line(1).position = 'closed'
  await house.currentOf(3, 1, 120_000)
}
async function smokes(): Promise<void> {
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
}
const states = async (LinkageID: number) => (await house.logOf(LinkageID)).map(({ State }) => State)

test('where one condition is enough, a danger trips also while another is true, and within the cooldown', async () => {
  await calm()
  const own = await either()
  await house.currentOf(3, 60)
  await opens()
  await closedAgain()
  await smokes()
  await opens()
  await eventually(async () => expect(await states(own)).toEqual(['done', 'done']))
  // It goes on being there, and that is no second one.
  await closedAgain()
  await house.reported()
  expect(await states(own)).toHaveLength(2)
})

test('a linkage that has stopped itself for something else goes on tripping for dangers, and for nothing else', async () => {
  await calm()
  const own = await either({ MaxPerHour: 1 })
  await house.currentOf(3, 60)
  await opens()
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  const halted = { Mark: 'halted', HaltedWhy: 'maxPerHour' }
  expect(await house.stored(own)).toMatchObject(halted)
  await closedAgain()
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  expect(await states(own)).toHaveLength(1)
  await smokes()
  await opens()
  expect(await states(own)).toHaveLength(2)
  expect(await house.stored(own)).toMatchObject(halted)
})

test('one that had stopped itself before this server looked does so as well', async () => {
  await calm()
  const own = await either({ Enabled: false })
  const { general } = house.stack.server.database
  await general
    .updateTable('linkage')
    .set({ halted_at: new Date(house.now()), halted_why: 'maxPerDay', enabled: true })
    .where('linkage_id', '=', own)
    .execute()
  house.pass(6_000)
  await house.engine().tick()
  await house.reported()
  await smokes()
  await opens()
  expect(await house.stack.client.call(getLinkage, { params: { LinkageID: own } })).toMatchObject({ Mark: 'halted' })
})

const point = (Key: string, LineNo: number, device = 'A-T1') =>
  ({ Kind: 'point', ...at(LineNo, device), Key, Op: '<', Value: 1, Release: 0.5, ForS: 0 }) as const
const state = (Key: string, LineNo: number, device = 'A-T1') =>
  ({ Kind: 'state', ...at(LineNo, device), Key, Op: '=', Value: 0, ForS: 0 }) as const
const alarm = (Key: string, LineNo: number, device = 'A-T1') =>
  ({ Kind: 'alarm', ...at(LineNo, device), Key, Op: '=', Value: 0, ForS: 0 }) as const

test.each<[string, LinkageBody['Conditions'][number]]>([
  ['smoke', point('smoke', 0, 'A-Y1')],
  ['a smoke alarm', alarm('smoke.alarm', 0, 'A-Y1')],
  ['the sounder of a detector', state('sounder', 0, 'A-Y1')],
  ['gas', point('gas', 0, 'A-G1')],
  ['a gas alarm', state('gas.alarm', 0, 'A-G1')],
  ['gas that rises', alarm('gas.rising', 0, 'A-G1')],
  ['a gas valve that was shut', state('valve', 0, 'A-G1')],
  ['arcs', point('arc.halfCycles', 0, 'A-H1')],
  ['an arc alarm', state('arc.alarm', 0, 'A-H1')],
  ['an arc that may come', alarm('arc.precursor', 1)],
  ['residual current', point('residual', 1)],
  ['a residual current alarm', alarm('residual.warning', 1)],
  ['leakage that rises', alarm('leakage.step', 1)],
  ['why a breaker tripped', state('trip.cause', 1)],
  ['a trip on residual current', alarm('trip.leakage', 1)],
  ['a trip on an arc', alarm('trip.arc', 1)],
  ['a trip on a short circuit', alarm('trip.short', 1)],
  ['an electrical fire', state('fire.alarm', 0, 'A-R1')],
  ['what an electrical fire is found by', point('temperature.a', 0, 'A-R1')],
  ['a short circuit that was cut', state('output', 0, 'A-X1')],
])('nothing is closed for %s', async (_name, condition) => {
  const own = { Conditions: [condition], Actions: [does('close', 8)], MayClose: true }
  expect(await outcomeOf(house.made('危险合闸', own))).toBe('linkage may not close')
})

test('for what is no danger it is, and a linkage that closes for it takes no danger on', async () => {
  const own = { Conditions: [point('temperature.a', 1)], Actions: [does('close', 8)], MayClose: true }
  const { LinkageID, Version } = await house.made('无危险', own)
  made.push(LinkageID)
  const { HouseID: _, ...form } = house.form('无危险', { ...own, Match: 'any', Conditions: [...own.Conditions, smoke] })
  expect(await outcomeOf(house.stack.client.call(updateLinkage, { body: { LinkageID, Version, ...form } }))).toBe(
    'linkage may not close',
  )
})
