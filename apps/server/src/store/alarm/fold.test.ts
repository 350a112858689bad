import { expect, test } from 'vitest'
import type { EventRow } from './event.ts'
import { endIncidents, foldProject, projectsWithIncidents } from './incident-end.ts'
import {
  after,
  announced,
  come,
  draft,
  gateway,
  goes,
  line,
  made,
  note,
  now,
  offline,
  onLine,
  placeOf,
  rows,
  secondMs,
  shown,
  stale,
  start,
  stateOf,
  store,
  useFoldingPlant,
} from './test-folding.ts'

useFoldingPlant()

// What becomes of events in the transaction that stores them.
test('what is silent behind a gateway that goes is folded under it, whether it came before or comes after', async () => {
  const first = await come(stale(1))
  expect(first.stored).toMatchObject([{ isNew: true, row: { folded: false, announced: 1 } }])
  after(5)
  const { stored, moved } = await come(offline(1), stale(1, 2))
  expect(stored).toMatchObject([
    { isNew: true, row: { key: 'gateway.offline', announced: 1, folded: false } },
    { isNew: false, isNewUnfolded: true, row: { key: 'device.stale', announced: 0, folded: true, suppressed: 'incident' } },
  ])
  expect(stored[0]?.row.root_of).toBe(stored[1]?.row.incident_id)
  expect(moved).toMatchObject([{ row: { key: 'device.stale', folded: true, announced: 1 }, why: null }])
  expect(await shown()).toEqual({ 'G1 gateway.offline': ['G1-1 device.stale', 'G1-2 device.stale'] })
  // Each is announced, for those who do not see the root; to the others only the root is.
  expect(await announced()).toEqual(['G1 gateway.offline'])
  expect(await rows('select why from announcement')).toHaveLength(3)
  expect(await rows(`select act from event_transition where act = 'fold'`)).toHaveLength(2)
})

test('what was silent long before its gateway went stands alone, as does what is silent elsewhere', async () => {
  await come(stale(1), stale(2))
  after(61)
  await come(offline(1))
  expect(await shown()).toEqual({ 'G1-1 device.stale': [], 'G2-1 device.stale': [], 'G1 gateway.offline': [] })
})

test('fire, gas, arc, trips and leakage on a line of a gateway that is gone stay visible', async () => {
  await come(offline(1), stale(1))
  const visible = ['arc', 'smoke.alarm', 'gas.high', 'fire.temperature', 'trip.leakage', 'residual.alarm']
  await come(...visible.map((key) => onLine(line(1, 2), key)))
  const seen = Object.keys(await shown())
  expect(seen).toEqual(['G1 gateway.offline', ...visible.map((key) => `G1-1/2 ${key}`)])
  expect(await announced()).toEqual(seen)
})

/** Line 1 of G1 feeds both of its fellows and all that hangs on G2, whose first line feeds the second. */
const feed = () =>
  rows(`update line set fed_by = ${line(1).id} where line_id in (${[line(1, 2), line(1, 3)].map(({ id }) => id)});
    update line set fed_by = ${line(1).id} from device where device.device_id = line.device_id and gateway_id = ${gateway(2).id};
    update line set fed_by = ${line(2).id} where line_id = ${line(2, 2).id}`)

test('a trip explains what lies below it without supply, at any depth, and the gateway that hangs there', async () => {
  await feed()
  await store([note(line(1), 'position.open'), draft({ ...onLine(line(1), 'trip.short'), priority: 'critical' })])
  after(20)
  await come(onLine(line(1, 2), 'voltage.under'), onLine(line(2, 2), 'voltage.under'), onLine(line(3), 'voltage.under'))
  after(80)
  await come(offline(2), stale(2))
  expect(await shown()).toEqual({
    'G1-1/1 trip.short': ['G1-1/2 voltage.under', 'G2-1/2 voltage.under', 'G2 gateway.offline'],
    'G3-1/1 voltage.under': [],
  })
  // The gateway that is gone still shows for what is behind it.
  const [own] = await rows<EventRow>(`select * from event where key = 'gateway.offline'`)
  const [behind] = await rows<EventRow>(`select * from event where key = 'device.stale'`)
  expect([own?.folded, behind?.folded, behind?.incident_id]).toEqual([true, true, own?.root_of])
})

test('of two lines that opened the nearer one explains what lies below both', async () => {
  await feed()
  await come(onLine(line(1), 'trip.short'), onLine(line(2), 'trip.overload'), onLine(line(2, 2), 'voltage.under'))
  expect(await shown()).toMatchObject({ 'G1-1/1 trip.short': [], 'G2-1/1 trip.overload': ['G2-1/2 voltage.under'] })
})

test('an upstream line that was opened on purpose has an alarm of its own once lines below report no supply', async () => {
  await feed()
  await store([note(line(1), 'position.open')])
  expect(await rows('select key from event where state is not null')).toEqual([])
  after(4)
  const { moved } = await come(onLine(line(1, 2), 'voltage.under'), onLine(line(1, 3), 'voltage.under'))
  expect(moved).toMatchObject([{ row: { key: 'supply.off', state: 'active', raised_at: new Date(start) }, why: 'raise' }])
  expect(await shown()).toEqual({ 'G1-1/1 supply.off': ['G1-1/2 voltage.under', 'G1-1/3 voltage.under'] })
  expect(await announced()).toEqual(['G1-1/1 supply.off'])
  after(60)
  const back = await store([note(line(1), 'position.closed')])
  expect(back.moved).toMatchObject([{ row: { key: 'supply.off', state: 'returned' }, why: null }])
})

test('a line that is opened on purpose again, while nobody has acknowledged the last time, shows for what lies below it again', async () => {
  await feed()
  await store([note(line(1), 'position.open')])
  await come(onLine(line(1, 2), 'voltage.under'))
  after(60)
  await store([note(line(1), 'position.closed')])
  await goes(onLine(line(1, 2), 'voltage.under'))
  after(300)
  await endNow()
  after(3_600)
  await store([note(line(1), 'position.open')])
  await come(onLine(line(1, 2), 'voltage.under'), onLine(line(1, 3), 'voltage.under'))
  expect(await shown()).toEqual({ 'G1-1/1 supply.off': ['G1-1/2 voltage.under', 'G1-1/3 voltage.under'] })
  expect(await rows(`select state, raises from event where key = 'supply.off'`)).toEqual([{ state: 'active', raises: 2 }])
  expect(
    await rows('select root_event_id is null as past, closed_at is null as open from incident order by incident_id'),
  ).toEqual([
    { past: true, open: false },
    { past: false, open: true },
  ])
})

test('a trip that is reported after the position goes on as the one alarm of its line', async () => {
  await feed()
  await store([note(line(1), 'position.open')])
  await come(onLine(line(1, 2), 'voltage.under'))
  after(2)
  await store([draft(onLine(line(1), 'trip.short'), 'raise', 0)])
  expect(await shown()).toEqual({ 'G1-1/1 trip.short': ['G1-1/2 voltage.under'], 'G1-1/1 supply.off': [] })
  expect(await stateOf('supply.off')).toEqual(['normal'])
})

test('three gateways gone within a minute are one outage, which ends with the last of them', async () => {
  await come(offline(1), stale(1))
  after(30)
  await come(offline(2))
  expect(Object.keys(await shown())).toEqual(['G1 gateway.offline', 'G2 gateway.offline'])
  after(55)
  const { moved } = await come(offline(3))
  expect(moved.map(({ row, why }) => [row.key, why])).toEqual([
    ['gateway.offline', null],
    ['gateway.offline', null],
    ['project.outage', 'raise'],
  ])
  expect(await shown()).toEqual({ 'project project.outage': ['G1 gateway.offline', 'G2 gateway.offline', 'G3 gateway.offline'] })
  after(100)
  await come(offline(4))
  after(300)
  await come(offline(5))
  expect(await shown()).toEqual({
    'project project.outage': [1, 2, 3, 4].map((n) => `G${n} gateway.offline`),
    'G5 gateway.offline': [],
  })
  await goes(offline(1), offline(2), offline(4))
  expect(await stateOf('project.outage')).toEqual(['active'])
  after(400)
  await goes(offline(3))
  expect(await stateOf('project.outage')).toEqual(['returned'])
})

test('an outage that turns out to come of one line that opened is none', async () => {
  await rows(`update line set fed_by = ${line(1).id} from device join gateway using (gateway_id)
    where device.device_id = line.device_id and number in ('G2', 'G3', 'G4')`)
  await come(offline(2), offline(3), offline(4))
  expect(Object.keys(await shown())).toEqual(['project project.outage'])
  after(10)
  await store([draft(onLine(line(1), 'trip.short'), 'raise', 0)])
  expect(await shown()).toEqual({
    'project project.outage': [],
    'G1-1/1 trip.short': [2, 3, 4].map((n) => `G${n} gateway.offline`),
  })
  expect(await stateOf('project.outage')).toEqual(['normal'])
})

test('a broken neutral that two lines of a gateway show explains their uneven voltages', async () => {
  await come(onLine(line(1), 'neutral'), onLine(line(1), 'voltage.over'))
  expect(await shown()).toEqual({ 'G1-1/1 neutral': [], 'G1-1/1 voltage.over': [] })
  after(20)
  await come(onLine(line(1, 2), 'neutral'), onLine(line(1, 3), 'voltage.under'), onLine(line(2), 'voltage.over'))
  expect(await shown()).toEqual({
    'G1-1/1 neutral': ['G1-1/1 voltage.over', 'G1-1/2 neutral', 'G1-1/3 voltage.under'],
    'G2-1/1 voltage.over': [],
  })
})

test('two servers that store root and children at the same moment make the same one incident', async () => {
  for (let n = 1; n <= 5; n++) {
    after((now - start) / secondMs + 600)
    const one = store([draft(offline(n))], 0)
    const other = store([draft(stale(n)), draft(stale(n, 2))], 1)
    await Promise.all([one, other])
    expect((await shown())[`G${n} gateway.offline`]).toEqual([`G${n}-1 device.stale`, `G${n}-2 device.stale`])
  }
})

test('a gateway that comes and goes again has one incident', async () => {
  await come(offline(1), stale(1))
  after(10)
  await goes(offline(1), stale(1))
  after(20)
  await come(offline(1), stale(1))
  expect(await shown()).toEqual({ 'G1 gateway.offline': ['G1-1 device.stale'] })
  expect(await rows('select ended_at, folded from incident')).toEqual([{ ended_at: null, folded: 1 }])
})

test('what is raised again under its root is announced to whoever does not see the root, and once in a while only', async () => {
  await come(offline(1), stale(1))
  after(30)
  await goes(stale(1))
  after(600)
  const { stored } = await come(stale(1))
  expect(stored).toMatchObject([{ isNew: false, isNewUnfolded: true, row: { folded: true, raises: 2 } }])
  const of = `join event using (event_id) where key = 'device.stale'`
  expect(await rows(`select why from announcement ${of}`)).toHaveLength(2)
  expect(await announced()).toEqual(['G1 gateway.offline'])
  await rows(`update event set shelved_until = '2026-02-01' where key = 'device.stale'`)
  await goes(stale(1))
  after(1_300)
  await come(stale(1))
  expect(await rows(`select why from announcement ${of}`)).toHaveLength(2)
})

/** What happens by time alone. */
const endNow = (isQuiet = false) => endIncidents(made.database, now, () => isQuiet)
const acknowledged = async (key: string) =>
  rows(`update event set state = case state when 'active' then 'acknowledged' else 'normal' end where key = '${key}'`)

test('two minutes after its root has returned what is still there stands alone, unacknowledged, and is announced', async () => {
  await come(offline(1), stale(1), stale(1, 2))
  await acknowledged('device.stale')
  after(60)
  await goes(offline(1), stale(1))
  after(179)
  expect(await endNow()).toEqual([])
  after(180)
  const [first, other] = await Promise.all([endNow(), endNow()])
  const moved = [...first, ...other]
  expect(moved).toMatchObject([{ row: { state: 'active', folded: false, suppressed: null, announced: 1 }, why: 'alone' }])
  expect(moved.map(({ row }) => placeOf(row))).toEqual(['G1-2'])
  expect(await shown()).toEqual({ 'G1 gateway.offline': ['G1-1 device.stale'], 'G1-2 device.stale': [] })
  expect([await announced(), await endNow()]).toEqual([['G1 gateway.offline', 'G1-2 device.stale'], []])
  expect(await rows(`select act, from_state, to_state from event_transition where act = 'alone'`)).toEqual([
    { act: 'alone', from_state: 'acknowledged', to_state: 'active' },
  ])
  expect(
    await rows('select count(*)::int as counted from event join incident using (incident_id) where not event.folded'),
  ).toEqual([{ counted: 1 }])
})

test('on a place that is out of service it stands alone and is announced to nobody', async () => {
  await come(offline(1), stale(1))
  await goes(offline(1))
  after(120)
  expect(await endNow(true)).toMatchObject([{ row: { folded: false, announced: 0 }, why: null }])
})

test('what has returned stays with its root while that needs somebody, and is shown when it does not', async () => {
  await come(offline(1), stale(1))
  await goes(offline(1), stale(1))
  after(120)
  expect(await endNow()).toEqual([])
  expect(await shown()).toEqual({ 'G1 gateway.offline': ['G1-1 device.stale'] })
  await acknowledged('gateway.offline')
  expect(await endNow()).toMatchObject([{ row: { state: 'returned', folded: false }, why: null }])
  expect(await rows('select from incident where emptied_at is null')).toEqual([])
})

test('a gateway that was taken out ends its incident, and the outage that it was the last of', async () => {
  await come(offline(1), offline(2), offline(3), stale(1))
  after(30)
  await goes(offline(2), offline(3))
  const projectId = gateway(1).project.id
  await rows(
    `update event set state = 'normal', returned_at = '${new Date(now).toISOString()}' where gateway_id = ${gateway(1).id}`,
  )
  await foldProject(made.database, projectId, now)
  expect(await stateOf('project.outage')).toEqual(['returned'])
  after(150)
  await endNow()
  expect(await rows('select from incident where closed_at is null')).toEqual([])
})

test('what somebody else was changing when its root came is folded by the next look', async () => {
  const { stored } = await come(stale(1))
  const other = await made.database.connect()
  await other.query('begin')
  await other.query('select from event where event_id = $1 for update', [stored[0]?.row.event_id])
  await come(offline(1))
  expect(await shown()).toEqual({ 'G1-1 device.stale': [], 'G1 gateway.offline': [] })
  await other.query('commit')
  await other.end()
  expect(await projectsWithIncidents(made.database, now, false)).toEqual([gateway(1).project.id])
  expect(await foldProject(made.database, gateway(1).project.id, now)).toMatchObject([
    { row: { key: 'device.stale', folded: true } },
    { row: { key: 'gateway.offline' } },
  ])
  expect(await foldProject(made.database, gateway(1).project.id, now)).toEqual([])
})

test('a line that opened and took nothing with it is no incident after a while', async () => {
  await feed()
  await store([note(line(1), 'position.open')])
  after(601)
  expect(await endNow()).toEqual([])
  expect(await rows('select from incident where closed_at is null')).toEqual([])
})
