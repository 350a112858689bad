import type { Client, Session } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import {
  acknowledgeEvent,
  addSharedAccount,
  allCalls,
  buttons,
  exportEvents,
  insertScene,
  insertTemplate,
  inspect,
  ledger,
  lineSelfTests,
  listEvents,
  operateLine,
  pages,
  placeTag,
  recordTripCause,
  removeTag,
  renameLine,
  setDetection,
  setReclosure,
  startRun,
  testLeakages,
  updateLine,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exampleOf } from '../../kit/example.ts'
import { fileOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { sessionOf, signedIn } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { startTwoOwners, subOf } from '../../kit/two-owners.ts'

// Whoever equipment is shared with reads what was done to it and nothing of the people: neither names nor log-in numbers, also in texts.
const staff = { userName: '13477700777', nickName: '当班王大锤', password: 'Duty-7391' }
const place = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const CommandID = crypto.randomUUID()
const RunID = crypto.randomUUID()
const TagID = crypto.randomUUID()
const SelfTestID = crypto.randomUUID()
const ChangeID = crypto.randomUUID()

let all: TwoOwners
/** What is asked for: one thing by its number, and lists of another line without any. */
let asked: Record<string, unknown>[]
const sessions = {} as Record<'owner' | 'shared', Session>

beforeAll(async () => {
  all = await startTwoOwners()
  const { server, url } = all.stack
  const every = pages.flatMap(({ key, subs }) => [key, ...subs.map((sub) => sub.key)])
  const roleId = await server.accounts.createRole({
    number: 'all',
    name: '全部',
    privileges: every,
    buttons: Object.keys(buttons) as (keyof typeof buttons)[],
  })
  const gateway = server.plant.lineAt('A-T1', 1)?.device.gateway
  const projectIds = [gateway?.project.id ?? 0]
  await server.accounts.createAccount({ ...staff, kind: 'sub', roleId, projectIds })
  const assigned = { RoleID: roleId, Assigned: { HouseIDs: projectIds, DeviceIDs: [] } }
  await all.platform.call(addSharedAccount, { body: { ...subOf('13400000002'), ...assigned } })
  sessions.owner = await sessionOf(url, all.stack.admin)
  sessions.shared = await sessionOf(url, { userName: '13400000002', password: 'Pass-13400000002-7' })
  const SceneID = await workAt(await signedIn(url, staff))
  const { items: events } = await all.platform.call(listEvents, { body: {} })
  const EventID = events.find((each) => each.AcknowledgedBy !== null)?.EventID
  const lists = {
    ...place(5),
    ...{ HouseID: projectIds[0], DeviceID: gateway?.id, LineID: server.plant.lineAt('A-T1', 5)?.id },
    ...{ Size: 50, From: Date.now() - 3_600_000, To: Date.now() + 60_000, Text: staff.nickName, attr: 'close' },
    Lines: [place(1), place(2), place(4)],
  }
  const LineID = server.plant.lineAt('A-T1', 1)?.id
  asked = [lists, { ...lists, ...place(1), LineID, CommandID, RunID, TagID, EventID, SceneID }]
})
afterAll(() => all?.close())

/** Everything that leaves a name, as far as it is done to equipment. */
async function workAt(by: Client): Promise<number> {
  const { plant } = all.stack.server
  const DeviceID = plant.lineAt('A-T1', 1)?.device.gateway.id ?? 0
  const LineID = plant.lineAt('A-T1', 1)?.id ?? 0
  await by.call(setReclosure, { body: { ...place(1), Enabled: false, DelaysS: [10], Version: 0 } })
  await by.call(setDetection, { body: { DeviceID, LineID, Enabled: true, EveryDays: 7 } })
  const values = { Settings: [{ Key: 'leakage.trip', Value: 100 }] }
  await by.call(updateLine, { body: { ...place(3), CommandID: ChangeID, Reason: '调整', ...values } })
  const HouseID = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const { SceneID } = await by.call(insertScene, {
    body: {
      ...{ HouseID, Name: '换型', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...place(8), Action: 'trip', Order: 0 }],
    },
  })
  await by.call(insertTemplate, { body: { Name: '模板', Family: 'breaker3p', ...values } })
  await by.call(testLeakages, { body: { RunID: SelfTestID, Lines: [place(5)], Reason: '自检' } })
  await vi.waitFor(async () => expect((await by.call(lineSelfTests, { params: place(5) })).items).toHaveLength(1))
  await by.call(operateLine, { params: { ...place(1), attr: 'trip' }, body: { CommandID, Reason: '检修' } })
  await by.call(startRun, { body: { RunID, Action: 'trip', Lines: [place(2), place(6)], Reason: '检修' } })
  Object.assign(all.stack.fleet.gatewayOf('A-T1').line('A-T1', 7), { position: 'open', tripCause: 'leakage' })
  await all.stack.fleet.gatewayOf('A-T1').report()
  await all.stack.server.ingest.drained()
  await by.call(inspect, { body: { DeviceID } })
  await by.call(renameLine, { params: { DeviceID, LineID }, body: { LineName: '一号线' } })
  for (const [LineNo, On] of [
    [1, 'line'],
    [2, 'device'],
    [4, 'gateway'],
  ] as const)
    await by.call(placeTag, {
      params: place(LineNo),
      body: { TagID: LineNo === 1 ? TagID : crypto.randomUUID(), Kind: 'tag', On, Reason: '检修' },
    })
  const gone = crypto.randomUUID()
  await by.call(placeTag, { params: place(1), body: { TagID: gone, Kind: 'tag', Reason: '试挂' } })
  await by.call(removeTag, { params: { ...place(1), TagID: gone }, body: { Reason: '完工' } })
  // Refused, and written down with the reason: whose tag hangs there.
  expect(
    await outcomeOf(
      by.call(operateLine, { params: { ...place(1), attr: 'close' }, body: { CommandID: crypto.randomUUID(), Reason: 'x' } }),
    ),
  ).not.toBe('done')
  await outcomeOf(
    by.call(startRun, { body: { RunID: crypto.randomUUID(), Action: 'close', Lines: [place(2), place(6)], Reason: 'x' } }),
  )
  await outcomeOf(by.call(recordTripCause, { params: place(7), body: { Cause: '受潮' } }))
  await vi.waitFor(async () => {
    const { items } = await by.call(listEvents, { body: {} })
    const raised = items.find(({ State }) => State === 'active')
    expect(raised).toBeDefined()
    await by.call(acknowledgeEvent, { params: { EventID: raised?.EventID ?? '' }, query: {} })
  })
  return SceneID
}

const reads = allCalls.filter(({ method, reads, permission }) => permission !== 'public' && (method === 'GET' || reads === true))

/** The names that are in what the call answers. */
async function namesBy(session: Session, call: Call): Promise<string[]> {
  const texts: string[] = []
  for (const given of asked) {
    const sent = { method: call.method, timeStamp: Math.floor(Date.now() / 1_000), ...exampleOf(call, given) }
    const { status, envelope } = await sendRaw(all.stack.url, session, sent)
    expect(status).toBeLessThan(500)
    texts.push(JSON.stringify(envelope))
  }
  return [staff.userName, staff.nickName].filter((name) => texts.join().includes(name))
}

describe('an account that equipment is shared with reads no name of the people by', () => {
  test('files that it has prepared', async () => {
    const guest = await signedIn(all.stack.url, { userName: '13400000002', password: 'Pass-13400000002-7' })
    const file = async (client: Client) =>
      (await fileOf(all.stack.url, client.call(exportEvents, { body: { Format: 'csv', Language: 'CN' } }))).toString()
    const namesIn = (text: string) => [staff.userName, staff.nickName].filter((name) => text.includes(name))
    const [owners, guests] = [await file(all.platform), await file(guest)]
    expect(namesIn(owners)).not.toEqual([])
    expect(guests.trim().split('\r\n').length).toBeGreaterThan(1)
    expect(namesIn(guests)).toEqual([])
  })

  test.each(reads.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', async (_, call) => {
    expect(await namesBy(sessions.shared, call)).toEqual([])
  })

  test('no list that could be searched by a name', async () => {
    const client = await signedIn(all.stack.url, { userName: '13400000002', password: 'Pass-13400000002-7' })
    expect((await client.call(ledger, { query: {} })).total).toBeGreaterThan(0)
    expect(await client.call(ledger, { query: { Actor: staff.userName } })).toMatchObject({ items: [], total: 0 })
  })
})

test('whoever runs the installation reads them, in all that was looked through', async () => {
  const named: string[] = []
  for (const call of reads) if ((await namesBy(sessions.owner, call)).length > 0) named.push(call.name)
  const where = [
    'closePermit',
    'lineCommands',
    'commandSteps',
    'ledger',
    'settingHistory',
    'queryTemplates',
    'lineTags',
    'inspections',
    'getScene',
  ]
  // What hangs under a tag is out of service, and announced to nobody: of new messages there are none that could name somebody.
  expect(named).toEqual(expect.arrayContaining([...where, 'getRun', 'listRuns', 'lineSelfTests', 'reclosure', 'tripAnalysis']))
})
