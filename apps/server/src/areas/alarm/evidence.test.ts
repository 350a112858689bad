import type { Evidence } from '@linewarden/contract'
import { DataType, metric } from '@linewarden/sparkplug'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { TestEdge } from '../../field/test-ingest.ts'
import { TestIngest } from '../../field/test-ingest.ts'
import { claimEvidence } from '../../store/alarm/evidence.ts'
import { createEvidence } from './evidence.ts'
import { EvidenceCopies } from './evidence-copies.ts'
import { createSeenEvents } from './seen-events.ts'

// Reported by a gateway, stored by ingest, copied by one server or another. No loop runs: a test says when a server looks.
let plant: TestIngest
let edge: TestEdge
let server: EvidenceCopies

const secondMs = 1_000
const sees = (gateway: (number: string) => boolean) =>
  ({
    sees: () => false,
    seesGateway: ({ number }: { number: string }) => gateway(number),
    privileges: ['devmon.realtime'],
  }) as unknown as Actor
const everything = sees(() => true)

const deps = () => ({
  database: plant.database,
  plant: plant.plant,
  hub: plant.hub,
  ingest: plant.ingest,
  clock: () => plant.now,
  log: pino({ level: 'silent' }),
})

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
  server = new EvidenceCopies(deps())
})
afterEach(async () => {
  await server.close()
  await plant.close()
})

/** The line reports these amperes of phase A each second from now on. */
async function reports(amperes: readonly number[]): Promise<void> {
  for (const value of amperes) {
    await edge.data({ values: { 'current.a': value } })
    plant.now += secondMs
  }
}
const calm = (seconds: number) => reports(Array.from({ length: seconds }, () => 20))

/** The breaker opens on a leakage current: an alarm that is copied by itself. Answers its number. */
async function trips(): Promise<string> {
  await edge.data({ states: { position: 0, 'trip.cause': 1 } })
  const [row] = await plant.rows<{ event_id: string }>(
    "select event_id from event where key = 'trip.leakage' order by event_id desc",
  )
  return row?.event_id ?? ''
}

const evidenceOf = (eventId: string, actor = everything, At?: number): Promise<Evidence> =>
  createEvidence(deps(), createSeenEvents(deps()), server).evidence(actor, eventId, At === undefined ? {} : { At })
const copies = () => plant.rows<{ samples: number; due: boolean }>('select samples, due_at is not null as due from evidence')

test('75 s after a trip the minutes around it are there: values, states, orders, limits; and they outlive the readings', async () => {
  await calm(60)
  const at = plant.now
  const eventId = await trips()
  expect(await evidenceOf(eventId)).toMatchObject({ State: 'pending', Copy: null })
  await calm(60)
  await server.now()
  expect(await evidenceOf(eventId)).toMatchObject({ State: 'pending' })
  plant.now = at + 74 * secondMs
  await server.now()
  await plant.rows('delete from reading')
  const { State, Copy, From, To } = await evidenceOf(eventId)
  expect([State, From, To]).toEqual(['ready', at - 60_000, at + 60_000])
  expect(Copy?.Rows.map(([time]) => time)).toEqual(Array.from({ length: 120 }, (_, index) => at - 60_000 + index * secondMs))
  expect(Copy?.Rows[0]?.[1][Copy.Points.indexOf('current.a')]).toBe(20)
  expect(Copy?.Gaps).toEqual([])
  const position = ({ Key }: { Key: string }) => Key === 'position'
  expect([Copy?.Before.find(position)?.Value, Copy?.After.find(position)?.Value]).toEqual(['closed', 'open'])
  expect(Copy?.Events.map(({ Key }) => Key)).toEqual(expect.arrayContaining(['trip.leakage', 'position.open']))
  expect(Copy?.Levels).toContainEqual(expect.objectContaining({ Key: 'residual.alarm', Value: 240, Side: 'over' }))
})

test('once it is there the event says so, also to whoever watches', async () => {
  const eventId = await trips()
  plant.committed.length = 0
  plant.now += 66 * secondMs
  await server.now()
  const messages = plant.committed.flatMap(({ live = [] }) => live.map(({ message }) => message))
  expect(messages).toContainEqual(
    expect.objectContaining({
      t: 'event',
      isNew: false,
      event: expect.objectContaining({ EventID: eventId, Evidence: 'ready' }),
    }),
  )
})

test('what a line did not report is a gap', async () => {
  await calm(30)
  plant.now += 40 * secondMs
  await calm(1)
  const eventId = await trips()
  const at = plant.now
  plant.now += 66 * secondMs
  await server.now()
  const { Copy } = await evidenceOf(eventId)
  expect(Copy?.Gaps).toEqual([
    [at - 42_000, at - 1_000],
    [at - 1_000, at + 60_000],
  ])
})

test('alarms of one line and minute share a copy, which has the minute after the last of them', async () => {
  const first = plant.now
  await edge.data({ values: { residual: 250 } })
  plant.now += 30 * secondMs
  const tripped = await trips()
  plant.now = first + 66 * secondMs
  await server.now()
  const [alarm] = await plant.rows<{ event_id: string }>("select event_id from event where key = 'residual.alarm'")
  expect((await evidenceOf(alarm?.event_id ?? '')).State).toBe('ready')
  expect((await evidenceOf(tripped)).State).toBe('pending')
  await edge.data({ values: { residual: 1 } })
  plant.now = first + 97 * secondMs
  await server.now()
  expect((await evidenceOf(tripped)).Copy?.Rows.map(([at]) => at - first)).toEqual([0, 66_000])
  expect(await copies()).toHaveLength(1)
})

test('values that come late within a day complete it, and it says so; later ones leave it as it is', async () => {
  const at = plant.now
  const eventId = await trips()
  plant.now += 66 * secondMs
  await server.now()
  const before = (await evidenceOf(eventId)).Copy
  plant.now += 3_600_000
  await edge.data({ values: { 'current.a': 31 }, at: at + 20_000, historical: true })
  plant.now += 3 * secondMs
  await server.now()
  const after = (await evidenceOf(eventId)).Copy
  expect([before?.CompletedAt, after?.CompletedAt]).toEqual([null, plant.now])
  expect(after?.Rows.length).toBe((before?.Rows.length ?? 0) + 1)
  plant.now += 24 * 3_600_000
  await edge.data({ values: { 'current.a': 32 }, at: at + 21_000, historical: true })
  expect(await copies()).toEqual([expect.objectContaining({ due: false })])
})

test('of two servers that look at once one copies; what a killed one had claimed another copies', async () => {
  const other = new EvidenceCopies(deps())
  const eventId = await trips()
  plant.now += 66 * secondMs
  plant.committed.length = 0
  await Promise.all([server.now(), other.now()])
  const ready = () => plant.committed.flatMap(({ live = [] }) => live).length
  expect([(await evidenceOf(eventId)).State, ready()]).toEqual(['ready', 1])

  plant.now += 600 * secondMs
  await edge.data({ states: { position: 1, 'trip.cause': 0 } })
  const again = await trips()
  plant.now += 66 * secondMs
  expect(await claimEvidence(plant.database, plant.now, 10)).toHaveLength(1)
  await other.now()
  expect((await evidenceOf(again)).State).toBe('pending')
  plant.now += 31 * secondMs
  await other.now()
  expect((await evidenceOf(again)).State).toBe('ready')
  await other.close()
})

test('each raise of an alarm has its own minutes', async () => {
  const first = plant.now
  const eventId = await trips()
  plant.now += 300 * secondMs
  await edge.data({ states: { position: 1, 'trip.cause': 0 } })
  plant.now += 300 * secondMs
  const second = plant.now
  expect(await trips()).toBe(eventId)
  plant.now += 66 * secondMs
  await server.now()
  expect(await evidenceOf(eventId)).toMatchObject({ State: 'ready', At: second, Raises: [second, first] })
  expect(await evidenceOf(eventId, everything, first)).toMatchObject({ State: 'ready', At: first })
})

test('a medium alarm is copied when somebody opens it, a low one never', async () => {
  await edge.data({ values: { residual: 200 } })
  const events = await plant.rows<{ event_id: string; key: string }>('select event_id, key from event order by event_id')
  const idOf = (key: string) => events.find((each) => each.key === key)?.event_id ?? ''
  plant.now += 66 * secondMs
  await server.now()
  expect(await copies()).toEqual([])
  expect((await evidenceOf(idOf('residual.notice'))).State).toBe('none')
  expect(await copies()).toEqual([])
  expect((await evidenceOf(idOf('residual.warning'))).Copy?.Rows).toHaveLength(1)
})

test('lines above and below are named with their positions, and only to those who see them', async () => {
  const above = await plant.edge('G2')
  await above.birth()
  await plant.rows(`update line set fed_by = ${plant.line('G2').id} where line_id = ${plant.line().id}`)
  await above.data({ states: { position: 0 } })
  const opened = plant.now
  plant.now += 2 * secondMs
  const eventId = await trips()
  plant.now += 66 * secondMs
  // Its values of now: the position that it reported in this session is valid.
  await above.data({ values: { 'current.a': 0 } })
  await server.now()
  expect((await evidenceOf(eventId)).Copy?.Upstream).toEqual([
    expect.objectContaining({ ControllerID: 'C-G2', Position: 'open', OpenedAt: opened }),
  ])
  const own = sees((number) => number === 'G1')
  expect((await evidenceOf(eventId, own)).Copy).toMatchObject({ Upstream: [], FeederUnseen: true })
})

test.each<[string, (above: TestEdge) => unknown]>([
  ['has reported nothing for more than ten seconds', () => {}],
  [
    'is away',
    async (above) => {
      await above.data({ values: { 'current.a': 0 } })
      plant.line('G2').device.gateway.link = 'offline'
    },
  ],
  [
    'has begun a session in which it has not reported it',
    async (above) => {
      await above.deviceBirth(above.device, {}, [metric({ name: '1/position', type: DataType.Int32, value: null })])
      await above.data({ values: { 'current.a': 0 } })
    },
  ],
])('where a line above stands is not known when it %s', async (_name, goes) => {
  const above = await plant.edge('G2')
  await above.birth()
  await plant.rows(`update line set fed_by = ${plant.line('G2').id} where line_id = ${plant.line().id}`)
  await above.data({ states: { position: 0 } })
  const eventId = await trips()
  plant.now += 66 * secondMs
  await goes(above)
  await server.now()
  expect((await evidenceOf(eventId)).Copy?.Upstream).toMatchObject([{ ControllerID: 'C-G2', Position: null }])
})

test('who ordered what is shown to those alone who may read the commands of a line; nobody else is shown that there was none', async () => {
  await plant.rows(`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline)
    values (gen_random_uuid(), ${plant.line().id}, 'trip', 'verified', 'lin', 'console', 'Test', 1,
      to_timestamp(${plant.now / 1_000}), to_timestamp(${plant.now / 1_000 + 30}))`)
  const eventId = await trips()
  plant.now += 66 * secondMs
  await server.now()
  expect((await evidenceOf(eventId)).Copy?.Commands).toEqual([expect.objectContaining({ Action: 'trip', Actor: 'lin' })])
  const without = { ...everything, privileges: ['hazard.alarmList'] } as Actor
  const shown = await evidenceOf(eventId, without)
  expect(shown.Copy?.Commands).toBeNull()
  expect(JSON.stringify(shown)).not.toContain('lin"')
})

test('a copy is small: a second of each of a three-phase breaker is under 8 kB', async () => {
  for (let second = 0; second < 130; second += 1) {
    const wave = (phase: number) => Math.round((20 + 2 * Math.sin(second / 7 + phase)) * 10) / 10
    await edge.data({
      values: {
        'current.a': wave(0),
        'current.b': wave(2),
        'current.c': wave(4),
        'voltage.a': 220 + (second % 5) / 10,
        residual: 8 + (second % 3),
      },
    })
    plant.now += secondMs
    if (second === 64) await trips()
  }
  plant.now += 66 * secondMs
  await server.now()
  const [size] = await plant.rows<{ bytes: number }>('select octet_length(content) as bytes from evidence')
  expect(size?.bytes).toBeLessThan(8_000)
})
