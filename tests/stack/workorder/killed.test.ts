import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownDatabase } from '@linewarden/server/test-database'
import { seededRandom } from '@linewarden/simulator'
import { afterAll, beforeAll, test } from 'vitest'
import type { WorkHouse } from '../../kit/faults/killed-work.ts'
import { dueWhileAway, startWorkHouse, workRound } from '../../kit/faults/killed-work.ts'

// The server is ended by SIGKILL while orders are given, reminded of and processed, and while a phone sends a round with its photos. What
// must stand in the end is what people and phones know that they sent. `KILLS_SEED=7` has other moments, `KILLS_ROUNDS` more.
const rounds = Number(process.env.KILLS_ROUNDS ?? (process.env.TEST_LONG ? 100 : 1))
const seed = Number(process.env.KILLS_SEED ?? 1)
const random = seededRandom(seed)
const killsOfRound = 10
/** Those at their statement, and not behind all of them. */
let midway = 0

let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let house: WorkHouse

beforeAll(async () => {
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-killed-'))
  house = await startWorkHouse(database, dataDir)
})
afterAll(async () => {
  if (rounds > 1) process.stderr.write(`${midway} of ${killsOfRound * rounds} kills came at their statement, seed ${seed}\n`)
  await house?.server.end()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'killed in order, reminder, answers, photos, finish and due round, nothing is lost and nothing done twice (%i)',
  () =>
    workRound(house, random, async (...kill) => {
      if (await house.server.killedWhile(...kill)) midway += 1
    }),
  process.env.TEST_LONG ? 600_000 : 300_000,
)

test('what is due while nobody is there happens once, on return, with its own time', () => dueWhileAway(house), 300_000)
