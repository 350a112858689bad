import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '@linewarden/simulator'
import { afterAll, beforeAll, test } from 'vitest'
import type { EmbeddedPostgres } from '../../../apps/server/src/store/embedded/embedded.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/store/embedded/embedded.ts'
import type { AlarmHouse } from '../../kit/faults/killed-alarms.ts'
import { alarmRound, startAlarmHouse } from '../../kit/faults/killed-alarms.ts'
import type { Killed } from '../../kit/faults/killed-house.ts'

// As in `killed.test.ts`, but PostgreSQL is what is ended by SIGKILL, at a statement of the server, which goes on and finds it again.
const rounds = Number(process.env.KILLS_ROUNDS ?? (process.env.TEST_LONG ? 80 : 1))
const seed = Number(process.env.KILLS_SEED ?? 1)
const random = seededRandom(seed)
let midway = 0

let postgres: EmbeddedPostgres
let dataDir: string
let house: AlarmHouse

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-killed-'))
  postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const { host, port, user, database } = postgres.connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  house = await startAlarmHouse({ url, settings: postgres.connection }, join(dataDir, 'house'), rounds)
})
afterAll(async () => {
  if (rounds > 1) process.stderr.write(`${midway} of ${5 * rounds} kills came at their statement, seed ${seed}\n`)
  await house?.server.end()
  await postgres?.stop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** Where it never came to the point, it is killed afterwards. */
const databaseKilled: Killed = async (point, work, isDone) => {
  const pid = postgres.postmasterPid()
  await house.server.order({ do: 'kill', ...point, pid })
  const working = work()
  while (postgres.postmasterPid() === pid && !(await isDone())) await wait(20)
  await house.server.order({ do: 'spare' })
  if (postgres.postmasterPid() !== pid || !isEnded(pid)) midway += 1
  await working
}

/** False: it was gone already, and what starts it again has not noticed so far. */
function isEnded(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'the database killed in raise, fold, acknowledge, end of a shelf and nightly run, nothing is lost and nothing done twice (%i)',
  (round) => alarmRound(house, round, random, databaseKilled),
  process.env.TEST_LONG ? 600_000 : 300_000,
)
