import { acknowledgeEvents, shelveEvents } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import pg from 'pg'
import { expect } from 'vitest'
import { diceOf } from '../warning-truth/dice.ts'
import { lineTruth } from '../warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../warning-truth/seeded-hours.ts'
import { JsonBoard } from './json-board.ts'
import type { Killed, KilledHouse, OwnDatabase } from './killed-house.ts'
import { asked, pointsOf, rowsOf, startKilledHouse } from './killed-house.ts'

// What an alarm goes through while something is killed, and what must stand in the end: it follows from what was sent alone.

/** Line 1 feeds the others. Line 5 trips alone; on the others below the voltage gives way when line 1 trips. */
const [feeder, alone, below] = [1, 5, [2, 3, 4]] as const

export interface AlarmHouse extends KilledHouse {
  readonly secrets: readonly string[]
}

/** A server in a process of its own, with a gateway for each round. */
export async function startAlarmHouse(database: OwnDatabase, dataDir: string, rounds: number): Promise<AlarmHouse> {
  const secrets: string[] = []
  const house = await startKilledHouse(database, dataDir, async (seeding, projectId) => {
    for (let round = 0; round < rounds; round++) {
      const number = numberOf(round)
      secrets.push(await seeding.site.enrolGateway({ projectId, number, name: number, reportingPeriodMs: 600_000 }))
    }
  })
  return { ...house, secrets }
}

const numberOf = (round: number): string => `GW-${round}`

/** One raise, folding, acknowledgement, end of a shelf and nightly run, each with a kill in it. */
export async function alarmRound(house: AlarmHouse, round: number, random: () => number, killed: Killed): Promise<void> {
  const { server, secrets } = house
  const pointOf = pointsOf(random)
  const board = new JsonBoard(numberOf(round), secrets[round] ?? '', 5, () => server.at.mqttPort)
  // A minute ago: what comes with an older time than the newest moves nothing.
  await board.birth(server.now() - 60_000)
  const lines = new Map<number, number>()
  const born = await rowsOf<{ line_no: number; line_id: number }>(
    house,
    'select line_no, line_id from line join device using (device_id) where controller_id = $1',
    [board.board],
  )
  for (const { line_no, line_id } of born) lines.set(line_no, line_id)
  const lineOf = (lineNo: number) => lines.get(lineNo) ?? expect.fail(`line ${lineNo} was born`)
  const ids = [...lines.values()]
  await rowsOf(house, 'update line set fed_by = $1 where line_id <> $1 and line_id = any($2)', [lineOf(feeder), ids])
  const count = async (sql: string) => Number((await rowsOf<{ count: string }>(house, sql, [ids]))[0]?.count)
  const ofLines = (what: string) => `select count(*) from event where line_id = any($1) and ${what}`

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
  // Folding that gave way to somebody is made up for by a look each second.
  await expect.poll(() => count(ofLines('folded'))).toBe(below.length)
  const trips = await rowsOf<{ event_id: string }>(
    house,
    `select event_id::text from event where line_id = any($1) and key = 'trip.short' order by raised_at`,
    [ids],
  )
  const EventIDs = trips.map(({ event_id }) => event_id)
  await killed(
    pointOf('event', 12),
    () => asked(house, (client) => client.call(acknowledgeEvents, { body: { EventIDs } })),
    async () => (await count(ofLines(`state = 'acknowledged'`))) === EventIDs.length,
  )
  const shelved = { EventIDs: EventIDs.slice(0, 1), Minutes: 1, Reason: '检修' }
  await asked(house, (client) => client.call(shelveEvents, { body: shelved }))
  const ends = `select count(*) from event_transition join event using (event_id) where line_id = any($1) and act = 'shelfEnd'`
  await killed(
    pointOf('shelved_until', 8),
    () => server.ahead(61_000),
    async () => (await count(ends)) > 0,
  )
  await expect.poll(() => count(ends)).toBe(1)
  await night(house, lineOf(2))
  const due = 'select count(*) from line_day_due where line_id = any($1)'
  await killed(
    pointOf('line_day|line_look|warning_evidence', 900),
    () => server.order({ do: 'evaluate' }),
    async () => (await count(due)) === 0,
  )
  // PostgreSQL may take a moment to see that whoever evaluated is gone.
  const left = async () => ((await server.order({ do: 'evaluate' })) ? count(due) : null)
  await expect.poll(left).toBe(0)
  await board.end()

  expect(await eventsOf(house, ids)).toEqual(
    inOrder([
      ['1 trip.short', 'acknowledged 1', 'raise acknowledge', 'raise', 'root'],
      ['2 leakage.step', 'active 1', 'raise', 'raise', ''],
      ...below.map((line) => [`${line} voltage.under`, 'active 1', 'raise fold', 'raise', 'child']),
      ['5 trip.short', 'active 1', 'raise acknowledge shelve shelfEnd', 'raise shelfEnd', ''],
    ]),
  )
  expect(await broken(house)).toEqual([])
}

/** Nobody is there for eight hours, in which the shelf of an alarm is over: that happens once, on return, with its own time. */
export async function shelfOverWhileAway(house: AlarmHouse): Promise<void> {
  const { server } = house
  const [event] = await rowsOf<{ id: string }>(
    house,
    `select event_id::text as id from event where key = 'trip.short' and state = 'active' order by event_id limit 1`,
  )
  const id = event?.id ?? expect.fail('a trip is still there')
  const happened = async () =>
    rowsOf<{ at: Date; calls: number }>(
      house,
      `select at, (select count(*)::int from announcement call where call.event_id = step.event_id and why = 'shelfEnd') as calls
       from event_transition step where event_id = $1 and act = 'shelfEnd' order by step_id`,
      [id],
    )
  const before = await happened()
  await asked(house, (client) => client.call(shelveEvents, { body: { EventIDs: [id], Minutes: 60, Reason: '检修' } }))
  const [shelf] = await rowsOf<{ until: Date }>(house, 'select shelved_until as until from event where event_id = $1', [id])
  await server.end()
  await server.ahead(8 * hourMs)
  await server.start()
  await expect.poll(async () => (await happened()).length).toBe(before.length + 1)
  const after = await happened()
  expect(after.at(-1)).toEqual({ at: shelf?.until, calls: before.length + 1 })
  expect(await broken(house)).toEqual([])
}

/** Two months of hours of a line, from a day on with more leakage than before. */
async function night({ server, settings }: AlarmHouse, lineId: number): Promise<void> {
  const today = Math.floor((server.now() + 8 * hourMs) / dayMs)
  const firstDay = firstDayOf(today, 63)
  const truth = lineTruth(9, today - firstDay, makeOfPlan(diceOf(9)), [{ kind: 'leakageStep', startHour: 50 * 24, sizeMa: 60 }])
  const client = new pg.Client(settings)
  await client.connect()
  await storeHours(client, { id: lineId }, truth, { firstDay, offsetHours: 8 }).finally(() => client.end())
}

/** What stands of these lines: place and key, state and raises, every step, every announcement, and what it is of an incident. */
async function eventsOf(house: AlarmHouse, lineIds: readonly number[]): Promise<string[][]> {
  const rows = await rowsOf<Record<'place' | 'stands' | 'steps' | 'calls' | 'role', string>>(
    house,
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
async function broken(house: AlarmHouse): Promise<string[]> {
  const rows = await rowsOf<{ what: string }>(
    house,
    `
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
      (select count(*) from event_transition step where step.event_id = event.event_id and act = 'raise')`,
  )
  return rows.map(({ what }) => what)
}
