import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { acknowledgeEvents, shelveEvents } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ownDatabase } from '@linewarden/server/test-database'
import { seededRandom } from '@linewarden/simulator'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleChosePasswords } from '../../kit/chosen-passwords.ts'
import { JsonBoard } from '../../kit/faults/json-board.ts'
import type { KillPoint } from '../../kit/faults/killed-server.ts'
import { KilledServer } from '../../kit/faults/killed-server.ts'
import { signedIn } from '../../kit/stack.ts'
import { diceOf } from '../../kit/warning-truth/dice.ts'
import { lineTruth } from '../../kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../../kit/warning-truth/seeded-hours.ts'

// The server is ended by SIGKILL in the middle of a raise, of folding, of an acknowledgement, of the end of a shelf and of the nightly run. What
// must stand in the end follows from what was sent alone. `KILLS_SEED=7` has other moments, `KILLS_ROUNDS` more; the long run has hundreds.
const rounds = Number(process.env.KILLS_ROUNDS ?? (process.env.TEST_LONG ? 80 : 1))
const seed = Number(process.env.KILLS_SEED ?? 1)
const random = seededRandom(seed)
/** Of five kills a round: those at their statement, and not behind all of them. */
let midway = 0
/** Line 1 feeds the others. Line 5 trips alone; on the others below the voltage gives way when line 1 trips. */
const [feeder, alone, below] = [1, 5, [2, 3, 4]] as const

let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let server: KilledServer
let db: pg.Client
let password: { userName: string; password: string }
let secrets: readonly string[]

beforeAll(async () => {
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-killed-'))
  const env = {
    ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'fatal' },
    ...{ LINEWARDEN_DATA: dataDir, DATABASE_URL: database.url },
  }
  const seeding = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  await peopleChosePasswords(seeding)
  password = seeding.accounts.firstPassword ?? expect.fail('the first start has a password')
  const cityId = await seeding.site.findOrCreateGroup('测试')
  const projectId = await seeding.site.findOrCreateProject({ cityId, name: '项目', timeZone: 'Asia/Shanghai', standard: 'GB' })
  const enrolled: string[] = []
  for (let round = 0; round < rounds; round++) {
    const number = numberOf(round)
    enrolled.push(await seeding.site.enrolGateway({ projectId, number, name: number, reportingPeriodMs: 600_000 }))
  }
  secrets = enrolled
  await seeding.close()
  db = new pg.Client(database.settings)
  await db.connect()
  // Noon in Shanghai: no day ends meanwhile.
  const noon = Math.ceil((Date.now() - 4 * hourMs) / dayMs) * dayMs + 4 * hourMs
  server = new KilledServer(env, noon - Date.now())
  await server.start()
})
afterAll(async () => {
  if (rounds > 1) process.stderr.write(`${midway} of ${5 * rounds} kills came at their statement, seed ${seed}\n`)
  await server?.end()
  await db?.end()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

const numberOf = (round: number): string => `GW-${round}`
const pointOf = (matches: string, most: number): KillPoint => ({
  matches,
  nth: 1 + Math.floor(random() * most),
  after: random() < 0.5,
})

/** Asks again until somebody answers: whoever presses has a page that does. */
async function asked(what: (client: Client) => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await what(await signedIn(server.at.url, password, server.now))
      return
    } catch {
      await wait(50)
    }
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'killed in raise, fold, acknowledge, end of a shelf and nightly run, nothing is lost and nothing done twice (%i)',
  async (round) => {
    const board = new JsonBoard(numberOf(round), secrets[round] ?? '', 5, () => server.at.mqttPort)
    // A minute ago: what comes with an older time than the newest moves nothing.
    await board.birth(server.now() - 60_000)
    const lines = new Map<number, number>()
    const { rows } = await db.query<{ line_no: number; line_id: number }>(
      'select line_no, line_id from line join device using (device_id) where controller_id = $1',
      [board.board],
    )
    for (const { line_no, line_id } of rows) lines.set(line_no, line_id)
    const lineOf = (lineNo: number) => lines.get(lineNo) ?? expect.fail(`line ${lineNo} was born`)
    const ids = [...lines.values()]
    await db.query('update line set fed_by = $1 where line_id <> $1 and line_id = any($2)', [lineOf(feeder), ids])
    const count = async (sql: string) => Number((await db.query(sql, [ids])).rows[0].count)
    const ofLines = (what: string) => `select count(*) from event where line_id = any($1) and ${what}`
    const killed = async (point: KillPoint, work: () => Promise<unknown>, isDone: () => Promise<boolean>) => {
      if (await server.killedWhile(point, work, isDone)) midway += 1
    }

    await killed(
      pointOf('event|evidence|announcement|alarm_series', 12),
      () => board.trips(alone, server.now()),
      async () => (await count(ofLines(`key = 'trip.short'`))) > 0,
    )
    const low = server.now()
    for (const at of [0, 2_000])
      for (const line of below) await board.report(low + at - 3_000, { [`${line}/voltage.a`]: 120 + line })
    await killed(
      pointOf('incident|event', 30),
      () => board.trips(feeder, server.now()),
      async () => (await count(ofLines('folded'))) === below.length,
    )
    await folded(() => count(ofLines('folded')))
    const { rows: trips } = await db.query<{ event_id: string }>(
      `select event_id::text from event where line_id = any($1) and key = 'trip.short' order by raised_at`,
      [ids],
    )
    const EventIDs = trips.map(({ event_id }) => event_id)
    await killed(
      pointOf('event', 12),
      () => asked((client) => client.call(acknowledgeEvents, { body: { EventIDs } })),
      async () => (await count(ofLines(`state = 'acknowledged'`))) === EventIDs.length,
    )
    await asked((client) => client.call(shelveEvents, { body: { EventIDs: EventIDs.slice(0, 1), Minutes: 1, Reason: '检修' } }))
    const ends = `select count(*) from event_transition join event using (event_id) where line_id = any($1) and act = 'shelfEnd'`
    await killed(
      pointOf('shelved_until', 8),
      () => server.ahead(61_000),
      async () => (await count(ends)) > 0,
    )
    await expect.poll(() => count(ends)).toBe(1)
    await night(lineOf(2))
    await killed(
      pointOf('line_day|line_look|warning_evidence', 900),
      () => server.order({ do: 'evaluate' }),
      async () => (await count('select count(*) from line_day_due where line_id = any($1)')) === 0,
    )
    // PostgreSQL may take a moment to see that whoever evaluated is gone.
    const due = 'select count(*) from line_day_due where line_id = any($1)'
    const left = async () => ((await server.order({ do: 'evaluate' })) ? count(due) : null)
    await expect.poll(left).toBe(0)
    await board.end()

    expect(await eventsOf(ids)).toEqual(
      inOrder([
        ['1 trip.short', 'acknowledged 1', 'raise acknowledge', 'raise', 'root'],
        ['2 leakage.step', 'active 1', 'raise', 'raise', ''],
        ...below.map((line) => [`${line} voltage.under`, 'active 1', 'raise fold', 'raise', 'child']),
        ['5 trip.short', 'active 1', 'raise acknowledge shelve shelfEnd', 'raise shelfEnd', ''],
      ]),
    )
    expect(await broken()).toEqual([])
  },
  process.env.TEST_LONG ? 600_000 : 300_000,
)

/** Folding that gave way to somebody is made up for by a look each second. */
const folded = (count: () => Promise<number>) => expect.poll(count).toBe(below.length)

/** Two months of hours of a line, from a day on with more leakage than before. */
async function night(lineId: number): Promise<void> {
  const today = Math.floor((server.now() + 8 * hourMs) / dayMs)
  const firstDay = firstDayOf(today, 63)
  const truth = lineTruth(9, today - firstDay, makeOfPlan(diceOf(9)), [{ kind: 'leakageStep', startHour: 50 * 24, sizeMa: 60 }])
  await storeHours(db, { id: lineId }, truth, { firstDay, offsetHours: 8 })
}

/** What stands of these lines: place and key, state and raises, every step, every announcement, and what it is of an incident. */
async function eventsOf(lineIds: readonly number[]): Promise<string[][]> {
  const { rows } = await db.query<Record<'place' | 'stands' | 'steps' | 'calls' | 'role', string>>(
    `select line_no || ' ' || key as place, state || ' ' || raises as stands,
       (select string_agg(act, ' ' order by step_id) from event_transition step where step.event_id = event.event_id) as steps,
       coalesce((select string_agg(why, ' ' order by announcement_id) from announcement call where call.event_id = event.event_id), '') as calls,
       case when root_of is not null then 'root' when folded then 'child' else '' end as role
     from event join line using (line_id) where line_id = any($1) and state is not null`,
    [lineIds],
  )
  return inOrder(rows.map(({ place, stands, steps, calls, role }) => [place, stands, steps, calls, role]))
}

const inOrder = (rows: readonly string[][]): string[][] => rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

/** Laws of the whole database: what breaks one is named. */
async function broken(): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>(`
    select 'step ' || step_id as what from (
        select step_id, from_state, lag(to_state) over (partition by event_id order by step_id) as before from event_transition) as steps
      where from_state is distinct from before
    union all select 'state ' || event_id from event where state is distinct from
      (select to_state from event_transition step where step.event_id = event.event_id order by step_id desc limit 1) and state is not null
    union all select 'twice ' || min(event_id) from event where state in ('active', 'acknowledged', 'returned')
      group by line_id, gateway_id, device_id, project_id, key, point having count(*) > 1
    union all select 'series ' || min(event_id) from event where state is not null and not superseded
      group by line_id, gateway_id, device_id, key, point having count(*) > 1
    union all select 'hidden ' || child.event_id from event child where folded and not exists (
      select from incident join event root on root.event_id = root_event_id where incident.incident_id = child.incident_id)
    union all select 'raises ' || event_id from event where state is not null and raises <>
      (select count(*) from event_transition step where step.event_id = event.event_id and act = 'raise')`)
  return rows.map(({ what }) => what)
}
