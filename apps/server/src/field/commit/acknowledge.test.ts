import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge
let blocker: pg.Client

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
  blocker = await plant.database.connect()
})

afterEach(async () => {
  await blocker.query('rollback')
  await blocker.end()
  await plant.close()
})

const stored = async () =>
  (await plant.rows<{ v10: number }>('select v10 from reading where v10 is not null order by at')).map((row) => row.v10)
const waiting = async () =>
  Number(
    (
      await plant.rows<{ n: string }>(
        "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    )[0]?.n,
  )

/** Nothing can be written to the readings until the blocker lets go. */
async function block(): Promise<void> {
  await blocker.query('begin')
  await blocker.query('lock table reading in access exclusive mode')
}

test('a reading is in the table when its acknowledgement arrives', async () => {
  await edge.data({ values: { residual: 12 } })
  expect(await stored()).toEqual([12])
})

test('while the database cannot commit, nothing is acknowledged, published or shown', async () => {
  await block()
  plant.committed.length = 0
  let acknowledged = false
  const sent = edge.data({ values: { residual: 12 } }).then(() => {
    acknowledged = true
  })
  await vi.waitUntil(async () => (await waiting()) > 0)
  await turn()
  expect(acknowledged).toBe(false)
  expect(plant.value('residual')).toBeNull()
  expect(plant.committed).toEqual([])

  await blocker.query('rollback')
  await sent
  expect(plant.value('residual')).toBe(12)
  expect(await stored()).toEqual([12])
})

test('a commit that dies with its connection is done again, once, and then acknowledged', async () => {
  await block()
  const sent = edge.data({ values: { residual: 12 } })
  await vi.waitUntil(async () => (await waiting()) > 0)
  await plant.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  await vi.waitUntil(() => plant.ingest.status().Degraded)
  await blocker.query('rollback')
  await sent
  expect(await stored()).toEqual([12])
  expect(plant.ingest.status().Degraded).toBe(false)
})

test('a message sent again changes nothing', async () => {
  const bytes = edge.dataBytes({ values: { residual: 270 } })
  await edge.publish(edge.dataTopic, bytes)
  await edge.publish(edge.dataTopic, bytes, { dup: true })
  expect(await stored()).toEqual([270])
  expect(await plant.alarms()).toEqual(['residual.notice active', 'residual.warning active', 'residual.alarm active'])
  expect(plant.ingest.status().Duplicates).toBe(1)
})

test('values of one time that come in two messages stand in one row', async () => {
  await edge.data({ values: { residual: 12 } })
  await edge.data({ values: { 'current.a': 5 } })
  await plant.ingest.drained()
  const rows = await plant.rows<{ v0: number; v10: number }>('select v0, v10 from reading where v10 is not null')
  expect(rows).toEqual([{ v0: 5, v10: 12 }])
})

test('what was received before a clean stop is committed by it', async () => {
  await edge.data({ values: { residual: 12 }, at: plant.now + 1 })
  await plant.restart()
  expect(plant.value('residual')).toBe(12)
})

test('the server stops although the database holds a commit back', async () => {
  await block()
  edge.data({ values: { residual: 12 } }).catch(() => {})
  await vi.waitUntil(async () => (await waiting()) > 0)
  edge.client.end(true)
  const closed = plant.ingest.close()
  await blocker.query('rollback')
  await closed
  expect(await stored()).toEqual([12])
})
