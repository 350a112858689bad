import type { Client } from '@linewarden/client'
import {
  acknowledgeIncident,
  acknowledgeMatching,
  addRole,
  addSubAccount,
  getIncident,
  isNewMessage,
  listEventSteps,
  listEvents,
  listIncidents,
  listJournal,
  listUnacknowledged,
  standAlone,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetAnnouncements } from '../../../apps/server/src/store/alarm/announcement.ts'
import { raiseEventAgain, raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { storeIncident } from '../../kit/stored-incident.ts'
import { subOf } from '../../kit/two-owners.ts'

// What people are shown of incidents that are stored, and do with them. One project with two gateways; the root is at the first.
let stack: Stack
let admin: Client
/** They see one gateway each. */
let atRoot: Client
let elsewhere: Client
beforeAll(async () => {
  const [first, second] = smallPlan
  if (!first || !second) throw new Error('the small plan has two projects')
  stack = await startStack({ plan: [{ ...first, gateways: [...first.gateways, ...second.gateways] }] })
  admin = stack.client
  const { RoleID } = await admin.call(addRole, {
    body: { Number: 'd', Name: '值班', Privileges: ['devmon', 'devmon.realtime'], Buttons: [] },
  })
  const sees = async (userName: string, number: string) => {
    const DeviceIDs = [stack.server.plant.gatewayByNumber.get(number)?.id ?? 0]
    await admin.call(addSubAccount, { body: { ...subOf(userName), RoleID, Assigned: { HouseIDs: [], DeviceIDs } } })
    return signedIn(stack.url, { userName, password: `Pass-${userName}-7` })
  }
  atRoot = await sees('13300000001', 'GW-A')
  elsewhere = await sees('13300000002', 'GW-B')
})
afterAll(() => stack?.close())

let root: string
let [below, apart, other]: string[] = []
let IncidentID: string
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
  for (const client of [admin, atRoot, elsewhere]) await client.call(isNewMessage, { query: {} })
  ;[root = '', below, apart, other] = await raiseEvents(stack, [
    { key: 'gateway.offline', kind: 'fault', priority: 'medium', lineNo: 'gateway' },
    { key: 'device.stale', kind: 'fault', priority: 'high', lineNo: null },
    { key: 'voltage.under', priority: 'medium', controllerId: 'B-T1', lineNo: 2 },
    { key: 'temperature.alarm', controllerId: 'B-T1', lineNo: 3 },
  ])
  IncidentID = await storeIncident(stack, [root, below ?? '', apart ?? ''])
})

const listed = async (client: Client, body: { Folded?: boolean; IncidentID?: string } = {}) =>
  (await client.call(listEvents, { body: { ...body, Sort: 'EventID', Size: 50 } })).items
const ids = async (client: Client, body: { Folded?: boolean; IncidentID?: string } = {}) =>
  (await listed(client, body)).map(({ EventID }) => EventID)
const polled = async (client: Client) => (await client.call(isNewMessage, { query: {} })).Events.map(({ EventID }) => EventID)

test('a list of roots shows the root for its children, how many those are and the gravest priority', async () => {
  expect(await listed(admin, { Folded: false })).toMatchObject([
    { EventID: root, Role: 'root', IncidentID, Incident: { IncidentID, Kind: 'gateway', Children: 2, Priority: 'high' } },
    { EventID: other, Role: null, IncidentID: null, Incident: null, Suppressed: null },
  ])
  expect(await listed(admin, { Folded: true })).toMatchObject([
    { EventID: below, Role: 'child', IncidentID, Suppressed: 'incident', Incident: null },
    { EventID: apart, Role: 'child', IncidentID, Suppressed: 'incident' },
  ])
  expect([await ids(admin), await ids(admin, { IncidentID })]).toEqual([
    [root, below, apart, other],
    [below, apart],
  ])
})

test('children wait for nobody and are announced to nobody', async () => {
  const { items, total } = await admin.call(listUnacknowledged, { body: { Sort: 'newest' } })
  expect([items.map(({ EventID }) => EventID), total]).toEqual([[other, root], 2])
  expect(items[1]).toMatchObject({ Incident: { Children: 2 } })
  expect((await admin.call(listUnacknowledged, { body: { Acknowledged: true } })).total).toBe(2)
  expect(await polled(admin)).toEqual([root, other])
})

test('whoever sees the root and not all children counts those they see', async () => {
  expect(await listed(atRoot, { Folded: false })).toMatchObject([{ EventID: root, Incident: { Children: 1 } }])
  expect(await atRoot.call(getIncident, { params: { IncidentID } })).toMatchObject({ Present: 1, Total: 1, Priority: 'high' })
  expect([await ids(atRoot), await polled(atRoot)]).toEqual([[root, below], [root]])
})

test('whoever does not see the root is shown a child as an alarm of its own', async () => {
  expect(await listed(elsewhere, { Folded: false })).toMatchObject([
    { EventID: apart, Role: null, IncidentID: null, Suppressed: null, Incident: null },
    { EventID: other },
  ])
  expect([await ids(elsewhere, { Folded: true }), await polled(elsewhere)]).toEqual([[], [apart, other]])
  expect((await elsewhere.call(listUnacknowledged, { body: {} })).total).toBe(2)
  expect((await elsewhere.call(listIncidents, { body: {} })).total).toBe(0)
  for (const call of [getIncident, acknowledgeIncident])
    expect(await outcomeOf(elsewhere.call(call, { params: { IncidentID } }))).toBe('incident not exists')
  expect(await outcomeOf(elsewhere.call(standAlone, { params: { EventID: apart ?? '' } }))).toBe('not folded')
})

test('an incident says its present children by alarm and priority', async () => {
  const shown = {
    ...{ IncidentID, Kind: 'gateway', EndedAt: null, ClosedAt: null, Priority: 'high', Present: 2, Total: 2 },
    Root: { EventID: root, Incident: { Children: 2 } },
    Children: [
      { Key: 'device.stale', Priority: 'high', Present: 1, Total: 1 },
      { Key: 'voltage.under', Priority: 'medium', Present: 1, Total: 1 },
    ],
  }
  expect(await admin.call(getIncident, { params: { IncidentID } })).toMatchObject(shown)
  const query = async (body: Parameters<typeof admin.call<typeof listIncidents>>[1]['body']) =>
    (await admin.call(listIncidents, { body })).items
  expect(await query({})).toMatchObject([shown])
  expect(await query({ Open: true, Kinds: ['gateway'], From: 0, To: Date.now() + 1_000 })).toHaveLength(1)
  for (const none of [{ Open: false }, { Kinds: ['outage' as const] }, { To: 1 }, { DeviceID: 999_999 }])
    expect(await query(none)).toEqual([])
  const db = await stack.server.database.connect()
  await db.query(`update event set state = 'normal', suppressed = null where event_id = $1`, [below])
  await db.end()
  expect(await admin.call(getIncident, { params: { IncidentID } })).toMatchObject({ Present: 1, Total: 2, Priority: 'medium' })
})

test('acknowledging an incident acknowledges its root and its children, each named; again it changes nothing', async () => {
  const done = await admin.call(acknowledgeIncident, { params: { IncidentID }, query: {} })
  expect(done).toMatchObject({ Acknowledged: 3, Already: 0, Gone: 0, NotPermitted: 0 })
  expect(done.Outcomes.map(({ EventID }) => EventID)).toEqual([root, below, apart])
  expect((await listed(admin)).map(({ State }) => State)).toEqual(['acknowledged', 'acknowledged', 'acknowledged', 'active'])
  expect(await admin.call(acknowledgeIncident, { params: { IncidentID }, query: {} })).toMatchObject({
    Acknowledged: 0,
    Already: 3,
  })
  const log = await admin.call(listJournal, { body: { Size: 10 } })
  expect(log.items.filter(({ Action }) => Action === 'event.acknowledge')).toHaveLength(3)
})

/** The incident as its root is shown. */
async function asListed() {
  const shown = (await listed(admin, { Folded: false })).find(({ EventID }) => EventID === root)
  return { Raises: shown?.Raises ?? 0, Mark: shown?.Incident?.Mark ?? '' }
}

test('what was raised again under a root after that was shown is not acknowledged with it, and named', async () => {
  const query = await asListed()
  expect(await admin.call(getIncident, { params: { IncidentID } })).toMatchObject({ Root: { Incident: { Mark: query.Mark } } })
  await raiseEventAgain(stack, below ?? '')
  const done = await admin.call(acknowledgeIncident, { params: { IncidentID }, query })
  expect(done).toMatchObject({ Acknowledged: 2, RaisedAgain: 1, Already: 0 })
  expect(done.Outcomes[0]).toEqual({ EventID: below, Outcome: 'raisedAgain' })
  expect((await listed(admin)).map(({ State }) => State)).toEqual(['acknowledged', 'active', 'acknowledged', 'active'])
  const again = await admin.call(acknowledgeIncident, { params: { IncidentID }, query: await asListed() })
  expect(again).toMatchObject({ Acknowledged: 1, Already: 2, RaisedAgain: 0 })
})

test('a root that was raised again after it was shown stays unacknowledged, by its raises and by the mark', async () => {
  const { Raises, Mark } = await asListed()
  await raiseEventAgain(stack, root)
  for (const query of [{ Raises }, { Mark }]) {
    expect(await admin.call(acknowledgeIncident, { params: { IncidentID }, query })).toMatchObject({ RaisedAgain: 1 })
    expect((await listed(admin))[0]).toMatchObject({ EventID: root, State: 'active', Raises: 2 })
  }
  // A console that was told live of the root as it is now has seen that, though its mark is older.
  const done = await admin.call(acknowledgeIncident, { params: { IncidentID }, query: { Raises: 2, Mark } })
  expect(done).toMatchObject({ Acknowledged: 1, RaisedAgain: 0 })
})

test('what is folded under a root after that was shown is not acknowledged with it', async () => {
  const query = await asListed()
  const [late = ''] = await raiseEvents(stack, [{ key: 'voltage.over', controllerId: 'B-T1', lineNo: 4 }])
  await stack.server.database.general
    .updateTable('event')
    .set({ folded: true, suppressed: 'incident', incident_id: IncidentID })
    .where('event_id', '=', late)
    .execute()
  const done = await admin.call(acknowledgeIncident, { params: { IncidentID }, query })
  expect(done).toMatchObject({ Acknowledged: 3, RaisedAgain: 1 })
  expect(done.Outcomes[0]).toEqual({ EventID: late, Outcome: 'raisedAgain' })
})

test('an incident that was shown longer ago than announcements are known is not acknowledged', async () => {
  const query = await asListed()
  await raiseEvents(stack, [{}])
  await forgetAnnouncements(stack.server.database, new Date(Date.now() + 60_000))
  const acknowledged = admin.call(acknowledgeIncident, { params: { IncidentID }, query })
  expect(await outcomeOf(acknowledged)).toBe('shown too long ago')
})

test('the children alone are acknowledged by the filter of their incident', async () => {
  const { Mark } = (await admin.call(listEvents, { body: {} })).about
  const body = { Filter: { IncidentID }, UpTo: other ?? '', Mark, Expect: 2 }
  expect(await admin.call(acknowledgeMatching, { body })).toMatchObject({ Acknowledged: 2 })
})

test('a wrong fold is undone by hand: the alarm stands alone, unacknowledged, and everybody is told', async () => {
  await admin.call(acknowledgeIncident, { params: { IncidentID }, query: {} })
  await polled(admin)
  const EventID = apart ?? ''
  expect(await admin.call(standAlone, { params: { EventID } })).toMatchObject({
    ...{ EventID, State: 'active', AcknowledgedBy: null, Role: null, IncidentID: null, Suppressed: null, Announced: 2 },
  })
  expect([await polled(admin), await ids(admin, { Folded: false })]).toEqual([[EventID], [root, apart, other]])
  expect(await admin.call(getIncident, { params: { IncidentID } })).toMatchObject({ Present: 1, Total: 1 })
  const { items } = await admin.call(listEventSteps, { params: { EventID }, query: {} })
  expect(items[0]).toMatchObject({ Act: 'alone', From: 'acknowledged', To: 'active', Actor: 'admin' })
  expect(await outcomeOf(admin.call(standAlone, { params: { EventID } }))).toBe('not folded')
})
