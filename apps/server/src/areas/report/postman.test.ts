import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { clockOf } from '../../store/jobs/due-work.ts'
import type { EndedRun } from '../../store/report/delivery.ts'
import type { LeasedRun } from '../../store/report/run.ts'
import { storeRun } from '../../store/report/run.ts'
import type { Smtp } from './mail/smtp.ts'
import { createSmtp } from './mail/smtp.ts'
import type { SinkAct, SinkStep } from './mail/test-mail-sink.ts'
import { sinkMail, startMailSink } from './mail/test-mail-sink.ts'
import { createPostman } from './postman.ts'

// Servers on one database, and a mail server that drops connections at each step. One that is killed is one whose rounds nobody calls any more.
let house: TestDatabase
let now: number
let scheduleId: number
let ended: EndedRun[]
/** What the mail server does at a step; what it is not told it goes on with. */
let act: (step: SinkStep, to: string) => SinkAct
let sink: Awaited<ReturnType<typeof startMailSink>>

beforeAll(async () => {
  house = await testDatabase()
  sink = await startMailSink((step, to) => act(step, to))
  await sql`with c as (insert into city (name) values ('c') returning city_id)
    insert into project (city_id, name, time_zone, standard) select city_id, 'p', 'Asia/Shanghai', 'GB' from c`.execute(
    house.database.general,
  )
})
afterAll(async () => {
  await sink?.close()
  await house?.drop()
})

const start = Date.UTC(2026, 10, 30, 0, 30)
const minute = 60_000
const people = ['a@example.com', 'b@example.com', 'c@example.com']

/** A report of each day, at 08:00 in Shanghai, due a moment ago. */
beforeEach(async () => {
  ;[now, ended, act] = [start, [], () => 'on']
  sink.accepted.length = 0
  const { rows } = await sql<{ schedule_id: number }>`
    with r as (delete from report_delivery), f as (delete from report_file), s as (update report_schedule set removed_at = now(), next_at = null, enabled = false)
    insert into report_schedule (project_id, kind, name, scope, period, cron, format, enabled, next_at)
      select max(project_id), 'energy', 'daily', '{}', 'day', '0 8 * * *', 'csv', true, ${new Date(start - 30 * minute)}::timestamptz from project
      returning schedule_id`.execute(house.database.general)
  scheduleId = rows[0]?.schedule_id ?? 0
  await sql`delete from report_run where schedule_id <> ${scheduleId}`.execute(house.database.general)
})

class Killed extends Error {}

type Death = 'none' | 'before' | 'asked' | 'handed' | 'sent' | 'making' | 'made'

/** A server that dies, once, where it is told to; after that it does nothing any more. */
function serve(death: () => Death = () => 'none') {
  let isDead = false
  const die = (here: Death) => {
    isDead ||= death() === here
    if (isDead) throw new Killed()
  }
  const real = createSmtp(sinkMail(sink.port), { deadlineMs: 2_000 })
  const smtp: Smtp = {
    async send(letter, mayHandOver) {
      die('before')
      const attempted = await real.send(letter, async () => {
        die('asked')
        const may = await mayHandOver()
        die('handed')
        return may
      })
      die('sent')
      return attempted
    },
  }
  const makeRun = async (run: LeasedRun) => {
    die('making')
    const letter = {
      language: 'CN' as const,
      subject: '用电',
      body: 'x',
      html: '<p>x</p>',
      fileName: 'x.csv',
      type: 'text/csv',
      bytes: Buffer.from('x'),
    }
    const recipients = people.map((address, place) => ({
      recipientId: place + 1,
      address,
      language: 'CN' as const,
      token: `token ${place}`,
    }))
    await storeRun(house.database, run, { files: [letter], recipients, known: 1 })
    die('made')
  }
  const postman = createPostman({
    ...{ database: house.database, dueClock: clockOf(() => now), mail: sinkMail(sink.port), smtp, makeRun },
    zoneOf: () => 'Asia/Shanghai',
    onEnd: (run) => ended.push(run),
    log: pino({ level: 'silent' }),
  })
  return {
    async round() {
      if (!isDead) await postman.work().catch((error) => void (error instanceof Killed || Promise.reject(error)))
    },
    isDead: () => isDead,
  }
}

const deliveries = () =>
  house.database.general
    .selectFrom('report_delivery')
    .innerJoin('report_run', 'report_run.run_id', 'report_delivery.run_id')
    .where('schedule_id', '=', scheduleId)
    .select(['report_delivery.run_id', 'address', 'report_delivery.state', 'report_delivery.tries', 'answer'])
    .orderBy('delivery_id')
    .execute()

const statesOf = async () => (await deliveries()).map(({ state, tries }) => `${state} ${tries}`)

test('a report that is due goes to each recipient once, however often and on however many servers one looks', async () => {
  const servers = [serve(), serve(), serve()]
  for (let round = 0; round < 3; round++) await Promise.all(servers.map((server) => server.round()))
  expect(sink.accepted.map(({ to }) => to).toSorted()).toEqual(people)
  expect(await statesOf()).toEqual(['sent 1', 'sent 1', 'sent 1'])
  expect(ended).toEqual([expect.objectContaining({ schedule_id: scheduleId, lost: 0 })])
  now += 24 * 60 * minute
  await servers[0]?.round()
  expect(sink.accepted).toHaveLength(6)
})

test('what was due while no server ran is sent of the newest period alone, and shown of the others', async () => {
  now += 3 * 24 * 60 * minute
  await serve().round()
  const runs = await house.database.general
    .selectFrom('report_run')
    .select('state')
    .where('schedule_id', '=', scheduleId)
    .orderBy('first_day')
    .execute()
  expect(runs.map(({ state }) => state)).toEqual(['missed', 'missed', 'missed', 'done'])
  expect(sink.accepted).toHaveLength(3)
})

test('a clock that is set back sends nothing a second time', async () => {
  await serve().round()
  now -= 48 * 60 * minute
  await house.database.general
    .updateTable('report_schedule')
    .set({ next_at: new Date(start - 30 * minute) })
    .where('schedule_id', '=', scheduleId)
    .execute()
  await serve().round()
  now = start
  await serve().round()
  expect(sink.accepted).toHaveLength(3)
})

test('what is put off is tried again after 1, 5, 15, 60, 240 minutes and a day, and is refused then', async () => {
  act = (step, to) => (step === 'message' && to === people[0] ? 451 : 'on')
  const server = serve()
  await server.round()
  for (const wait of [1, 5, 15, 60, 240, 1_440]) {
    const tries = (await deliveries())[0]?.tries
    now += wait * minute - 1
    await server.round()
    expect((await deliveries())[0]).toMatchObject({ state: 'queued', tries })
    now += 1
    await server.round()
  }
  expect((await deliveries())[0]).toMatchObject({ state: 'refused', tries: 7, answer: '451 refused at message' })
  expect(ended).toContainEqual(expect.objectContaining({ lost: 1 }))
})

test('what is refused for good is not tried again', async () => {
  act = (step, to) => (step === 'rcpt' && to === people[1] ? 550 : 'on')
  await serve().round()
  now += 24 * 60 * minute - 31 * minute
  await serve().round()
  expect(await statesOf()).toEqual(['sent 1', 'refused 1', 'sent 1'])
})

test('a server that is killed before it handed a mail over is followed by another; after that nobody sends it again', async () => {
  await serve(() => 'asked').round()
  expect(new Set(await statesOf())).toEqual(new Set(['sending 1']))
  await serve().round()
  expect(sink.accepted).toEqual([])
  now += 5 * minute + 1
  await serve(() => 'handed').round()
  now += 5 * minute + 1
  await serve().round()
  // Of mails that were under way at once one may have been handed over by the dead server; the others were not.
  const [all, taken] = [await deliveries(), sink.accepted.map(({ to }) => to)]
  const unknown = all.flatMap(({ state, address }) => (state === 'unknown' ? address : []))
  expect(unknown.length).toBeGreaterThan(0)
  expect(taken.toSorted()).toEqual(people.filter((each) => !unknown.includes(each)))
})

const step = fc.constantFrom<SinkStep>('connect', 'ehlo', 'mail', 'rcpt', 'data', 'message', 'answer')
const acts = fc.constantFrom<SinkAct>('on', 'drop', 'drop', 450, 451, 550)
const trouble = fc.array(fc.record({ step, what: acts }), { maxLength: 12 })
const death = fc.constantFrom<Death>('none', 'none', 'before', 'asked', 'handed', 'sent', 'making', 'made')
const round = fc.record({ deaths: fc.tuple(death, death), trouble, wait: fc.constantFrom(0, 0, 1, 6, 60, 600, 1_440) })

test('whatever is killed when, and whatever the mail server drops, each recipient of a run is accepted at most once, and what was accepted is never told as refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
      const general = house.database.general
      await sql`delete from report_delivery`.execute(general)
      await sql`delete from report_file`.execute(general)
      await sql`delete from report_run`.execute(general)
      now = start
      await sql`update report_schedule set next_at = ${new Date(start - 30 * minute)}::timestamptz, enabled = true where schedule_id = ${scheduleId}`.execute(
        general,
      )
      sink.accepted.length = 0
      for (const { deaths, trouble, wait } of rounds) {
        const left = [...trouble]
        act = (at) => {
          const place = left.findIndex(({ step }) => step === at)
          return left.splice(place, place < 0 ? 0 : 1)[0]?.what ?? 'on'
        }
        await Promise.all(deaths.map((here) => serve(() => here).round()))
        now += wait * minute
      }
      act = () => 'on'
      // The holds of all that were killed are over, and what was put off is due.
      for (let last = 0; last < 9; last++) {
        now += 24 * 60 * minute
        await general.updateTable('report_schedule').set({ next_at: null }).where('schedule_id', '=', scheduleId).execute()
        await serve().round()
      }
      const all = await deliveries()
      const accepted = Map.groupBy(sink.accepted, ({ to, raw }) => `${/Message-ID: (\S+)/.exec(raw)?.[1]} ${to}`)
      expect([...accepted.values()].filter((mails) => mails.length > 1)).toEqual([])
      expect(all.filter(({ state }) => state === 'queued' || state === 'sending')).toEqual([])
      const count = (...states: string[]) => all.filter(({ state }) => states.includes(state)).length
      expect(sink.accepted.length).toBeGreaterThanOrEqual(count('sent'))
      expect(sink.accepted.length).toBeLessThanOrEqual(count('sent', 'unknown'))
      const runs = await general
        .selectFrom('report_run')
        .select(['state', 'first_day'])
        .where('schedule_id', '=', scheduleId)
        .execute()
      expect(new Set(runs.map(({ first_day }) => first_day)).size).toBe(runs.length)
      expect(runs.filter(({ state }) => state !== 'done' && state !== 'missed')).toEqual([])
    }),
    { numRuns: 40 },
  )
}, 120_000)
