import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownDatabase } from '@linewarden/server/test-database'
import { seededRandom } from '@linewarden/simulator'
import { afterAll, beforeAll, test } from 'vitest'
import type { AlarmHouse } from '../../kit/faults/killed-alarms.ts'
import { alarmRound, shelfOverWhileAway, startAlarmHouse } from '../../kit/faults/killed-alarms.ts'

// The server is ended by SIGKILL in the middle of a raise, of folding, of an acknowledgement, of the end of a shelf and of the nightly run. What
// must stand in the end follows from what was sent alone. `KILLS_SEED=7` has other moments, `KILLS_ROUNDS` more; the long run has hundreds.
const rounds = Number(process.env.KILLS_ROUNDS ?? (process.env.TEST_LONG ? 80 : 1))
const seed = Number(process.env.KILLS_SEED ?? 1)
const random = seededRandom(seed)
/** Of five kills a round: those at their statement, and not behind all of them. */
let midway = 0

let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let house: AlarmHouse

beforeAll(async () => {
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-killed-'))
  house = await startAlarmHouse(database, dataDir, rounds)
})
afterAll(async () => {
  if (rounds > 1) process.stderr.write(`${midway} of ${5 * rounds} kills came at their statement, seed ${seed}\n`)
  await house?.server.end()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'killed in raise, fold, acknowledge, end of a shelf and nightly run, nothing is lost and nothing done twice (%i)',
  (round) =>
    alarmRound(house, round, random, async (...kill) => {
      if (await house.server.killedWhile(...kill)) midway += 1
    }),
  process.env.TEST_LONG ? 600_000 : 300_000,
)

test('a shelf that is over while nobody is there for eight hours ends once, on return, with its own time', () =>
  shelfOverWhileAway(house))
