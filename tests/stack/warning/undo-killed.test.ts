import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CallError } from '@linewarden/client'
import { undoNormalChange } from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ownDatabase } from '@linewarden/server/test-database'
import { seededRandom } from '@linewarden/simulator'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleChosePasswords } from '../../kit/chosen-passwords.ts'
import { JsonBoard } from '../../kit/faults/json-board.ts'
import { KilledServer } from '../../kit/faults/killed-server.ts'
import { signedIn } from '../../kit/stack.ts'

// A server is ended by SIGKILL while somebody takes back a normal change, and two others are asked the same: the finding is raised again once,
// whichever of them did it. `KILLS_SEED=7` has other moments, `KILLS_ROUNDS` more.
const rounds = Number(process.env.KILLS_ROUNDS ?? (process.env.TEST_LONG ? 40 : 2))
const random = seededRandom(Number(process.env.KILLS_SEED ?? 1))
/** As many statements as the connection has from the finding until its COMMIT. */
const statements = 16
let midway = 0

let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let servers: readonly KilledServer[] = []
let db: pg.Client
let password: { userName: string; password: string }
let lineId: number

beforeAll(async () => {
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-undo-'))
  const env = {
    ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'fatal' },
    ...{ LINEWARDEN_DATA: dataDir, DATABASE_URL: database.url },
  }
  const seeding = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  await peopleChosePasswords(seeding)
  password = seeding.accounts.firstPassword ?? expect.fail('the first start has a password')
  const cityId = await seeding.site.findOrCreateGroup('测试')
  const projectId = await seeding.site.findOrCreateProject({ cityId, name: '项目', timeZone: 'Asia/Shanghai', standard: 'GB' })
  const secret = await seeding.site.enrolGateway({ projectId, number: 'GW-1', name: 'GW-1', reportingPeriodMs: 600_000 })
  const board = new JsonBoard('GW-1', secret, 1, () => seeding.mqttPort)
  await board.birth(Date.now() - 60_000)
  db = new pg.Client(database.settings)
  await db.connect()
  const known = () => db.query<{ line_id: number }>('select line_id from line order by line_id')
  while ((await known()).rows.length === 0) await wait(20)
  lineId = (await known()).rows[0]?.line_id ?? 0
  await board.end()
  await seeding.close()
  servers = [1, 2, 3].map(() => new KilledServer(env, 0))
  for (const server of servers) await server.start()
})
afterAll(async () => {
  if (rounds > 2) process.stderr.write(`${midway} of ${rounds} kills came at their statement\n`)
  for (const server of servers) await server.end()
  await db?.end()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** A broken neutral that somebody has explained while it was there. Answers its number. */
async function explained(): Promise<string> {
  await db.query('delete from event')
  const { rows } = await db.query<{ event_id: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, returned_at, stored_at)
     select 'warning', 'high', 'neutral', '断零', 'Broken neutral', 'normal', project_id, gateway_id, line_id,
       date_trunc('milliseconds', now()) - interval '1 hour', date_trunc('milliseconds', now()), now()
     from line join device using (device_id) join gateway using (gateway_id) where line_id = $1 returning event_id::text`,
    [lineId],
  )
  const eventId = rows[0]?.event_id ?? expect.fail('the finding was stored')
  const evidence = { value: 1.3, limit: 1.1, unit: '', baseline: null, spread: null, slope: null, toLimit: null, used: 2 }
  await db.query(
    `insert into warning_evidence (event_id, level, evidence, rule_version, at) values ($1, 'alarm', $2, 1, now())`,
    [eventId, JSON.stringify(evidence)],
  )
  await db.query(
    `insert into warning_baseline (event_id, line_id, detector, from_day, reason, actor, at)
     select event_id, line_id, key, 20000, 'r', 'a', returned_at from event where event_id = $1`,
    [eventId],
  )
  return eventId
}

/** Takes it back at a server until that answers: done, or that it is not explained any more. A server that is killed answers nobody. */
async function undone(server: KilledServer, EventID: string): Promise<'done' | 'before' | 'killed'> {
  while (server.isAlive)
    try {
      const client = await signedIn(server.at.url, password, server.now)
      await client.call(undoNormalChange, { params: { EventID }, body: { Reason: '误认定' } })
      return 'done'
    } catch (error) {
      if (error instanceof CallError && error.message === 'warning not explained') return 'before'
      await wait(20)
    }
  return 'killed'
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'killed while a normal change is taken back, one of three servers raises the finding again, once (%i)',
  async () => {
    const EventID = await explained()
    const [first, ...others] = servers
    if (!first) throw new Error('there are three servers')
    const point = { matches: 'warning_baseline', nth: 1 + Math.floor(random() * statements), after: random() < 0.5 }
    await first.order({ do: 'kill', ...point })
    const answers = await Promise.all([undone(first, EventID), ...others.map((server) => undone(server, EventID))])
    if (!first.isAlive) midway += 1
    await first.end()
    await first.start()
    answers.push(await undone(first, EventID))

    expect(answers.filter((answer) => answer === 'done').length).toBeLessThanOrEqual(1)
    const { rows } = await db.query(
      `select event_id::text as id, state, raises, announced,
         (select count(*)::int from announcement call where call.event_id = event.event_id) as calls,
         (select level from warning_evidence proof where proof.event_id = event.event_id) as level
       from event where key = 'neutral' and event_id <> $1`,
      [EventID],
    )
    expect(rows).toMatchObject([{ state: 'active', raises: 1, announced: 1, calls: 1, level: 'alarm' }])
    const log = `select count(*)::int from audit where action = 'event.unexplain' and subject_id = $1`
    expect((await db.query(log, [EventID])).rows[0].count).toBe(1)
    expect((await db.query('select undone_by from warning_baseline')).rows).toEqual([{ undone_by: 'admin' }])
  },
  60_000,
)
