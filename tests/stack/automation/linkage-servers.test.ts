import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { linkageServers } from '../../kit/linkage-servers.ts'

// Two servers on one database: a cabinet that measures reports to the one, a cabinet that finds smoke to the other. Each knows what reported to it.
const smokeCabinet = {
  ...{ number: 'GW-C', name: 'C柜', secret: '', reportingPeriodMs: 60_000 },
  devices: [{ controllerId: 'C-Y1', family: 'smoke', model: 'JTY-GD', name: '烟感', lines: [] }],
}
const plan = linkagePlan.map((project, index) =>
  index === 0 ? { ...project, gateways: [...project.gateways, smokeCabinet] } : project,
)

let house: LinkageHouse
let servers: ReturnType<typeof linkageServers>
const made: number[] = []
beforeAll(async () => {
  // Equipment reports when it is told to and at no other time: two servers are to read the same value.
  house = await startLinkageHouse({ plan, fleet: { ticking: false } })
  // Only the servers of these tests evaluate linkages.
  await house.engine().close()
  servers = linkageServers(house)
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  house.stack.fleet.gatewayOf('C-Y1').detector('C-Y1').forcedStates.delete('smoke.alarm')
  await house.currentOf(3, 1)
})
afterEach(async () => {
  await servers.close()
  for (const LinkageID of made.splice(0)) await house.gone(LinkageID)
})

const smoke = { Kind: 'state', ...at(0, 'C-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const
const current = ['A-T1', 3] as const
const detector = ['C-Y1', 0] as const
async function smokes(): Promise<void> {
  house.stack.fleet.gatewayOf('C-Y1').detector('C-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
}

/** A linkage of which nothing is stored. */
async function fresh(own: Partial<LinkageBody>): Promise<number> {
  const { LinkageID } = await house.made('双机', {
    Match: 'any',
    Conditions: [above(3), smoke],
    Actions: [does('trip', 1)],
    ...own,
  })
  made.push(LinkageID)
  return LinkageID
}
/** One of which nothing is true, as another server has left it: that has read all of it, and is gone. */
async function linkage(own: Partial<LinkageBody>): Promise<number> {
  const LinkageID = await fresh(own)
  const gone = servers.serve()
  await gone.engine.changed(LinkageID)
  await gone.reads(...current)
  await gone.reads(...detector)
  await gone.engine.close()
  return LinkageID
}
async function twoServers(LinkageID: number, slowMs = 0) {
  const both = [servers.serve(), servers.serve(slowMs)] as const
  for (const { engine } of both) await engine.changed(LinkageID)
  return both
}
const outcomes = async (LinkageID: number, near = false) =>
  (await house.logOf(LinkageID, near)).map(({ State, Why }) => Why ?? State)

test('smoke that one server finds half a minute after another saw an overcurrent trips by itself', async () => {
  const own = await linkage({})
  const [measures, finds] = await twoServers(own)
  await finds.reads(...detector)
  await house.currentOf(3, 60)
  await measures.reads(...current)
  expect([measures.carried, finds.carried]).toEqual([['trip'], []])
  house.pass(28_000)
  await smokes()
  await finds.reads(...detector)
  expect(finds.carried).toEqual(['trip'])
  expect(await outcomes(own)).toEqual(['running', 'running'])
})

test('one value that two servers have read is one rise: the second stores nothing of it', async () => {
  const own = await linkage({ Conditions: [above(3)] })
  const both = await twoServers(own)
  await house.currentOf(3, 60)
  await servers.atOnce(
    own,
    both.map((server) => () => server.reads(...current)),
  )
  expect(both.flatMap(({ carried }) => carried)).toEqual(['trip'])
  expect(await outcomes(own, true)).toEqual(['running'])
})

test('where their clocks differ it is not known to be one, and the cooldown of the first counts for the second', async () => {
  const own = await linkage({ Conditions: [above(3)] })
  const both = await twoServers(own, 1_500)
  await house.currentOf(3, 60, 5_000)
  await servers.atOnce(
    own,
    both.map((server) => () => server.reads(...current)),
  )
  expect(both.flatMap(({ carried }) => carried)).toEqual(['trip'])
  expect((await outcomes(own, true)).toSorted()).toEqual(['cooldown', 'running'])
})

test('what another server has changed a moment before it rises acts as it is by now, if it reads the same', async () => {
  const own = await linkage({ Conditions: [smoke] })
  const [finds] = await twoServers(own)
  const { general } = house.stack.server.database
  const { Version } = await house.stored(own)
  await general
    .updateTable('linkage')
    .set({ name: '改名', version: Version + 1 })
    .where('linkage_id', '=', own)
    .execute()
  await smokes()
  await finds.reads(...detector)
  expect(finds.carried).toEqual(['trip'])
  expect(await house.logOf(own)).toMatchObject([{ Name: '改名', State: 'running' }])
})

test('what another server has disabled a moment before does nothing', async () => {
  const own = await linkage({ Conditions: [smoke] })
  const [finds] = await twoServers(own)
  await house.turned(own, 'disable')
  await smokes()
  await finds.reads(...detector)
  expect(finds.carried).toEqual([])
  expect(await outcomes(own)).toEqual([])
})

test('what two servers know, each of its own gateways, is stored together: neither writes over what the other has found', async () => {
  const own = await fresh({})
  const [measures, finds] = await twoServers(own)
  await finds.reads(...detector)
  await finds.engine.write()
  await measures.reads(...current)
  await measures.engine.write()
  for (const server of [measures, finds]) await servers.crash(server)
  await smokes()
  const after = servers.serve()
  await after.engine.changed(own)
  await after.reads(...detector)
  expect(after.carried).toEqual(['trip'])
})

test('what a server acts on is stored with what another has found: what has risen there does not rise again', async () => {
  const own = await linkage({})
  const [measures, finds] = await twoServers(own)
  await smokes()
  await measures.reads(...current)
  await finds.reads(...detector)
  house.pass(61_000)
  await house.currentOf(3, 60)
  await measures.reads(...current)
  expect([measures.carried, finds.carried]).toEqual([['trip'], ['trip']])
  for (const server of [measures, finds]) await servers.crash(server)
  const after = servers.serve()
  await after.engine.changed(own)
  await after.reads(...detector)
  await after.reads(...current)
  expect(after.carried).toEqual([])
  expect(await outcomes(own, true)).toEqual(['running', 'running'])
})

test('what fell while its gateway was with another server rises where the gateway comes back to', async () => {
  const own = await linkage({ Conditions: [above(3)] })
  const [first, second] = await twoServers(own)
  await house.currentOf(3, 60)
  await first.reads(...current)
  await servers.cameBack('A-T1')
  await house.currentOf(3, 1)
  await second.reads(...current)
  await second.engine.tick()
  await servers.cameBack('A-T1')
  house.pass(61_000)
  await house.currentOf(3, 60)
  await first.reads(...current)
  expect([first.carried, second.carried]).toEqual([['trip', 'trip'], []])
})

test('what rose while its gateway was with another server does not rise again where the gateway comes back to', async () => {
  const own = await linkage({ Conditions: [above(3)] })
  const [first, second] = await twoServers(own)
  await first.reads(...current)
  await servers.cameBack('A-T1')
  await house.currentOf(3, 60)
  await second.reads(...current)
  await servers.cameBack('A-T1')
  house.pass(61_000)
  await house.reported()
  await first.reads(...current)
  expect([first.carried, second.carried]).toEqual([[], ['trip']])
  expect(await outcomes(own, true)).toEqual(['running'])
})

test('an older server that writes over all that is stored takes nothing away', async () => {
  const own = await fresh({})
  const finds = servers.serve()
  await finds.engine.changed(own)
  await finds.reads(...detector)
  await finds.engine.write()
  const client = await house.stack.server.database.connect()
  const nothing = { lastAt: null, goodAt: null, value: null, met: false, since: null, unobservedFrom: null, isOld: false }
  const unread = JSON.stringify({ ...nothing, rose: null, known: null })
  for (let write = 0; write < 2; write++)
    await client.query(
      "update linkage_state set state = jsonb_set(state, '{conditions,1}', $2::jsonb), at = now() where linkage_id = $1",
      [own, unread],
    )
  await servers.crash(finds)
  await smokes()
  const after = servers.serve()
  await after.engine.changed(own)
  await after.reads(...detector)
  expect(after.carried).toEqual(['trip'])
  const { rows } = await client.query('select from linkage_state where linkage_id = $1 and beside is null', [own])
  await client.end()
  expect(rows).toHaveLength(1)
})
