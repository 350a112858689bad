import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { storeFindings } from '../warning/finding-write.ts'
import { notePlatformAway } from './platform-away.ts'
import {
  after,
  come,
  draft,
  gateway,
  lookAtAll,
  made,
  offline,
  rows,
  start,
  stateOf,
  store,
  useFoldingPlant,
} from './test-folding.ts'

// Whoever stores events and whoever folds them take the project's turn first and rows of events then: nobody waits in a circle.
useFoldingPlant()

const takeTurn = async (client: pg.Client) =>
  client.query(`select pg_advisory_xact_lock(hashtext('incident'), $1)`, [gateway(1).project.id])

/** Somebody else in a transaction of their own. */
async function withAnother(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await made.database.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

const isWaiting = () =>
  vi.waitFor(async () =>
    expect(
      await rows(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
    ).toHaveLength(1),
  )

test.each([
  ['ingest', (client: pg.Client) => store([draft(offline(1), 'return')], 1).finally(() => client)],
  ['early warning', (client: pg.Client) => storeFindings(client, [{ act: 'return', draft: draft(offline(1), 'return') }], start)],
])('%s waits for the turn of a project with no row in hand', async (_, write) => {
  await come(offline(1))
  const writer = await made.database.connect()
  try {
    let written: Promise<unknown> = Promise.resolve()
    await withAnother(async (other) => {
      await takeTurn(other)
      written = write(writer)
      await isWaiting()
      expect((await other.query('select from event for update nowait')).rowCount).toBe(1)
    })
    await written
    expect(await stateOf('gateway.offline')).toEqual(['returned'])
  } finally {
    await writer.end()
  }
})

test('folding gives way to whoever has a row that it needs and waits for its turn; the next look folds', async () => {
  await rows("update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: null, backAt: start })
  after(31)
  await come(offline(1))
  // The platform has settled: the look wants the root's row.
  after(100)
  await withAnother(async (other) => {
    await other.query(`select from event where key = 'platform.away' for update`)
    const looked = lookAtAll()
    await isWaiting()
    await takeTurn(other)
    expect(await looked).toEqual([])
  })
  expect(await stateOf('platform.away')).toEqual(['active'])
  await lookAtAll()
  expect(await stateOf('platform.away')).toEqual(['returned'])
})
