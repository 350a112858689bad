import { dayMs, hourMs, SLOTS } from '@linewarden/equipment'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { newWatch } from '../../field/watch/line-watch.ts'
import { linkEvent } from '../../field/watch/link-event.ts'
import { Batch } from './batch.ts'
import { Committer } from './commit.ts'

let plant: TestIngest
let client: pg.Client

beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  client = await plant.database.connect()
})
beforeEach(() => plant.rows('delete from reading; delete from quarantine; delete from event'))
afterAll(async () => {
  await client?.end()
  await plant?.close()
})

const commit = (batch: Batch) => new Committer(client, 90).commit(batch, plant.now)
const columns = [...Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`), 'counter']

test('what is stored is what was measured, whatever the values and times', async () => {
  const value = fc.oneof(fc.constant(Number.NaN), fc.float({ noNaN: true, noDefaultInfinity: true }))
  const row = fc.record({
    at: fc.integer({ min: plant.now - 86_400_000 * 89, max: plant.now + 86_400_000 * 400 }),
    values: fc.array(value, { minLength: SLOTS, maxLength: SLOTS }),
    quality: fc.integer({ min: 0, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(row, { selector: (each) => each.at, minLength: 1, maxLength: 20 }), async (given) => {
      await plant.rows('delete from reading')
      const batch = new Batch(1)
      const watch = newWatch(plant.line())
      for (const { at, values, quality } of given) {
        const index = batch.rowOf(watch, at, plant.now, quality)
        values.forEach((each, slot) => {
          batch.set(index, slot, each)
        })
      }
      await commit(batch)
      const stored = await plant.rows<Record<string, number | null> & { at: Date; quality: number }>(
        'select * from reading order by at',
      )
      expect(stored.map((each) => [each.at.getTime(), each.quality, ...columns.map((name) => single(each[name]))])).toEqual(
        given
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, quality, values }) => [at, quality, ...values.map((each) => (Number.isNaN(each) ? null : single(each)))]),
      )
    }),
    { numRuns: 25 },
  )
})

// PostgreSQL writes the shortest text that reads back as the same single-precision number; minus zero is zero.
const single = (value: number | null | undefined) => (value == null ? null : Math.fround(value) + 0)

test('a batch whose COMMIT was done though nobody heard of it comes again: its trip is no second one', async () => {
  const line = plant.line()
  const [known] = await plant.rows<{ n: number }>('select trip_latches as n from line')
  const no = (known?.n ?? 0) + 1
  const batch = new Batch(1)
  batch.lockouts.set(line, { cause: 'leakage', at: plant.now, no: null })
  await commit(batch)
  await commit(batch)
  expect(batch.lockouts.get(line)?.no).toBe(no)
  expect(await plant.rows('select trip_no, cause from trip')).toEqual([{ trip_no: no, cause: 'leakage' }])
  batch.lockouts.set(line, { cause: 'leakage', at: plant.now + 1, no: null })
  await commit(batch)
  expect(batch.lockouts.get(line)?.no).toBe(no + 1)
})

test('a raise and a return whose COMMIT nobody heard of come again: it is one event, and both are told', async () => {
  const line = plant.line()
  const draft = {
    kind: 'alarm' as const,
    priority: 'high' as const,
    key: 'current.alarm',
    label: { zh: '', en: '' },
    point: 'current.a',
    value: 70,
    limit: 63,
    unit: 'A',
    gateway: line.device.gateway,
    line,
    historical: false,
  }
  const one = (act: 'raise' | 'return', at: number) => {
    const batch = new Batch(1)
    batch.events.push({ ...draft, act, at })
    return batch
  }
  const rows = () => plant.rows('select state, raises from event')
  const raise = one('raise', plant.now)
  await commit(raise)
  expect(await commit(raise)).toMatchObject([{ row: { state: 'active' } }])
  line.alarms.set('current.alarm@current.a', {
    eventId: (await plant.rows<{ event_id: string }>('select event_id from event'))[0]?.event_id ?? '',
    key: 'current.alarm',
    kind: 'alarm',
    priority: 'high',
    point: 'current.a',
  })
  const back = one('return', plant.now + 1)
  await commit(back)
  expect(await commit(back)).toMatchObject([{ row: { state: 'returned' }, isNew: false }])
  line.alarms.clear()
  expect(await rows()).toEqual([{ state: 'returned', raises: 1 }])
  // A clock that stands still raises as well as another.
  await commit(raise)
  expect(await rows()).toEqual([{ state: 'active', raises: 2 }])
})

test('alarms are stored on while a newer server adds a column', async () => {
  const draft = {
    kind: 'alarm' as const,
    priority: 'high' as const,
    key: 'voltage.over',
    label: { zh: '过压', en: 'Overvoltage' },
    point: null,
    value: 280,
    limit: 265,
    unit: 'V',
    gateway: plant.line().device.gateway,
    line: plant.line(),
    at: plant.now,
    historical: false,
  }
  const committer = new Committer(client, 90)
  const acts = async (...kinds: readonly ('raise' | 'return')[]) => {
    for (const act of kinds) {
      const batch = new Batch(1)
      batch.events.push({ ...draft, act })
      expect(await committer.commit(batch, plant.now)).toHaveLength(1)
      expect(batch.refused.size).toBe(0)
    }
  }
  await acts('raise', 'return', 'raise', 'return')
  await plant.rows('alter table event add column newer int')
  await acts('raise', 'return')
  await plant.rows('alter table event drop column newer')
})

test('one row the database refuses is noted; every other row of the batch is stored', async () => {
  await plant.rows('alter table reading add constraint refuse check (v0 is distinct from 13)')
  try {
    const batch = new Batch(1)
    const watch = newWatch(plant.line())
    for (let i = 0; i < 100; i++) batch.set(batch.rowOf(watch, plant.now + i, plant.now, 0), 0, i)
    await commit(batch)
    const [stored] = await plant.rows<{ n: string }>('select count(*) as n from reading')
    expect(stored?.n).toBe('99')
    expect(batch.quarantine.map(({ reason }) => reason)).toEqual(['refused_by_database'])
  } finally {
    await plant.rows('alter table reading drop constraint refuse')
  }
})

test('one event the database refuses is noted; the readings are stored', async () => {
  await plant.rows("alter table event add constraint refuse check (key <> 'gateway.stale')")
  try {
    const batch = new Batch(1)
    batch.set(batch.rowOf(newWatch(plant.line()), plant.now, plant.now, 0), 0, 1)
    const { gateway } = plant.line().device
    batch.events.push(linkEvent(gateway, 'stale', 'raise', plant.now), linkEvent(gateway, 'offline', 'raise', plant.now))
    const stored = await commit(batch)
    expect(stored.map(({ row }) => row.key)).toEqual(['gateway.offline'])
    expect(batch.quarantine.map(({ reason }) => reason)).toEqual(['refused_by_database'])
    expect(await plant.rows('select 1 from reading')).toHaveLength(1)
  } finally {
    await plant.rows('alter table event drop constraint refuse')
  }
})

test('evidence that the database refuses to have noted keeps neither its alarm nor a reading from being stored', async () => {
  await plant.rows("alter table evidence add constraint refuse check (states ->> 'position' is distinct from 'strange')")
  const line = plant.line()
  line.states.set('position', 'strange')
  try {
    const batch = new Batch(1)
    batch.set(batch.rowOf(newWatch(line), plant.now, plant.now, 0), 0, 1)
    const { gateway } = line.device
    const alarm = { ...linkEvent(gateway, 'stale', 'raise', plant.now), line, key: 'trip.short', priority: 'critical' } as const
    batch.events.push(alarm)
    const stored = await commit(batch)
    expect(stored.map(({ row, isNew }) => [row.key, isNew])).toEqual([['trip.short', true]])
    expect(batch.quarantine.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^evidence: /)])
    expect(batch.refused.has(alarm)).toBe(false)
    expect(await plant.rows('select 1 from reading')).toHaveLength(1)
  } finally {
    line.states.delete('position')
    await plant.rows('alter table evidence drop constraint refuse')
  }
})

test('a late reading of an hour that is just being rolled up waits for nobody, and has it done again', async () => {
  const late = (hoursAgo: number) => {
    const batch = new Batch(1)
    batch.set(batch.rowOf(newWatch(plant.line()), plant.now - hoursAgo * hourMs, plant.now, 2), 0, 1)
    return batch
  }
  await plant.rows('delete from rollup_due')
  await commit(late(5))
  const due = () => plant.rows<{ hour: Date }>('select hour from rollup_due order by hour')
  const [hour] = await due()
  const job = await plant.database.connect()
  await job.query('begin')
  await job.query('delete from rollup_due where hour = $1', [hour?.hour])
  await commit(late(5))
  await job.query('commit')
  await job.end()
  expect(await due()).toEqual([hour])
  // Noted already, and nobody at it: one note is enough.
  await commit(late(5))
  expect(await due()).toEqual([hour])
})

test('an hour that no clock will reach is not waited for', async () => {
  await plant.rows('delete from rollup_due')
  const batch = new Batch(1)
  batch.set(batch.rowOf(newWatch(plant.line()), plant.now + 400 * 86_400_000, plant.now, 2), 0, 1)
  await commit(batch)
  expect(await plant.rows('select hour from rollup_due')).toEqual([])
})

test('a reading from before the raw window leaves the roll-up of its hour as it was', async () => {
  await plant.rows('delete from rollup_due')
  const watch = newWatch(plant.line())
  const batch = new Batch(1)
  batch.set(batch.rowOf(watch, plant.now - 92 * dayMs, plant.now, 2), 0, 1)
  batch.set(batch.rowOf(watch, plant.now - 80 * dayMs, plant.now, 2), 0, 1)
  await commit(batch)
  const due = await plant.rows<{ hour: Date }>('select hour from rollup_due order by hour')
  expect(due.length).toBeGreaterThan(0)
  expect(due.filter(({ hour }) => hour.getTime() < plant.now - 90 * dayMs)).toEqual([])
})
