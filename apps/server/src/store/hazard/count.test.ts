import { countedAs } from '@linewarden/rules/hazard'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { linkEvent } from '../../field/watch/link-event.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'
import { countDueSteps, recountAll } from './count.ts'

// The plant stands in Shanghai: its 15th of January 2026 begins at 16:00 UTC of the 14th.
const noon = Date.UTC(2026, 0, 15, 4)
const day = 20_468
const [secondMs, minuteMs, dayMs] = [1_000, 60_000, 86_400_000]

let plant: TestIngest
let client: pg.Client
let other: pg.Client
beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.ingest.drained()
  ;[client, other] = await Promise.all([plant.database.connect(), plant.database.connect()])
})
afterAll(async () => {
  await client?.end()
  await other?.end()
  await plant?.close()
})
const empty = () =>
  plant.rows(
    "delete from event; delete from event_counted; delete from event_step_due; delete from event_recount; truncate event_place, event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum; update project set time_zone = 'Asia/Shanghai'; delete from event_recount",
  )
beforeEach(empty)

/** An event of line 1 with what happened to it: act, when, who, announced. */
type Step = readonly [act: string, at: number, from: string | null, to: string, actor?: string | null, announced?: boolean | null]
async function store(steps: readonly Step[], raisedAt = steps[0]?.[1] ?? noon): Promise<string> {
  const line = plant.line()
  const { rows } = await client.query<{ event_id: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
     values ('alarm', 'high', 'current.alarm', '过流', 'Overcurrent', 'normal', $1, $2, $3, $4, $4) returning event_id`,
    [line.device.gateway.project.id, line.device.gateway.id, line.id, new Date(raisedAt)],
  )
  const id = rows[0]?.event_id ?? ''
  for (const [act, at, from, to, actor = null, announced = act === 'raise'] of steps)
    await client.query(
      `insert into event_transition (event_id, at, act, from_state, to_state, actor, announced) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, new Date(at), act, from, to, actor, announced],
    )
  return id
}
const raise = (at: number, from: string | null = null, announced = true): Step => ['raise', at, from, 'active', null, announced]
const back = (at: number, from = 'active', to = 'returned'): Step => ['return', at, from, to]
const acknowledge = (at: number, from = 'active', to = 'acknowledged'): Step => ['acknowledge', at, from, to, 'a']

const days = async () => {
  const rows = await plant.rows<Record<string, unknown>>(
    `select event_day.day - ${day} as day, raised, announced, bursts, fleeting, unjustified, active_ms::float8 / 1000 as active,
       over_day as over, array(select seconds from event_ack cross join generate_series(1, times)
         where (event_ack.day, event_ack.place_id) = (event_day.day, event_day.place_id) order by 1) as ack
     from event_day join event_place using (place_id) order by event_day.day, key`,
  )
  return rows.map(({ day, ...counted }) => [
    day,
    Object.fromEntries(
      Object.entries(counted).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)),
    ),
  ])
}
const tens = async () =>
  (await plant.rows<{ ten: number; announced: number }>('select ten, announced from event_ten order by ten')).map(
    ({ ten, announced }) => [ten - noon / (10 * minuteMs), announced],
  )
const noted = () =>
  plant.rows('select event_id, at, day, priority, counted, since from event_counted order by event_id, at, counted, since')
/** What everything comes to, as it is kept and as the places add up to it. */
const sums = () =>
  Promise.all(
    [
      ['event_ten', 'ten, kind, priority', 'announced, folded'],
      ['event_day', 'day, key, kind, priority', 'raised, announced, folded, bursts, fleeting, unjustified, over_day'],
      ['event_ack', 'day, kind, priority, seconds', 'times'],
    ].map(async ([table = '', by = '', figures = '']) => ({
      kept: await plant.rows(`select ${by}, ${figures} from ${table}_sum order by ${by}`),
      added: await plant.rows(`select ${by}, ${figures.replace(/\w+/g, 'sum($&)::int as $&')}
        from ${table} join event_place using (place_id) group by ${by} order by ${by}`),
    })),
  )
const counted = async () => {
  for (const { kept, added } of await sums()) expect(kept).toEqual(added)
  return [await days(), await tens(), await noted()]
}

test.each<[string, readonly Step[], readonly unknown[]]>([
  ['a raise', [raise(noon)], [[0, { raised: 1, announced: 1 }]]],
  [
    'a return within 5 s: fleeting, and no cause to act',
    [raise(noon), back(noon + 5 * secondMs)],
    [[0, { raised: 1, announced: 1, fleeting: 1, unjustified: 1, active: 5 }]],
  ],
  [
    'a return within a minute',
    [raise(noon), back(noon + minuteMs)],
    [[0, { raised: 1, announced: 1, unjustified: 1, active: 60 }]],
  ],
  [
    'a return after somebody acted',
    [raise(noon), acknowledge(noon + 2 * secondMs), back(noon + 4 * secondMs, 'acknowledged', 'normal')],
    [[0, { raised: 1, announced: 1, active: 4, ack: [2] }]],
  ],
  [
    'three raises in a minute, and a fourth: one chatter',
    [0, 20, 40, 60].flatMap((s, i) => [
      raise(noon + s * secondMs, i === 0 ? null : 'returned', i === 0),
      back(noon + (s + 10) * secondMs),
    ]),
    [[0, { raised: 4, announced: 1, bursts: 1, unjustified: 4, active: 40 }]],
  ],
  [
    'two days and a half: long at both midnights that had a day before them',
    [raise(noon), back(noon + 2.5 * dayMs)],
    [
      [0, { raised: 1, announced: 1, active: 43_200 }],
      [1, { active: 86_400 }],
      [2, { active: 86_400, over: 1 }],
    ],
  ],
  [
    'an acknowledgement that ran out: the next one is timed from there',
    [
      raise(noon),
      acknowledge(noon + 10 * secondMs),
      ['expire', noon + 100 * secondMs, 'acknowledged', 'active', null, true],
      acknowledge(noon + 103 * secondMs),
    ],
    [[0, { raised: 1, announced: 2, ack: [3, 10] }]],
  ],
])('%s', async (_, steps, expected) => {
  await store(steps)
  await countDueSteps(client)
  expect(await days()).toEqual(expected)
  const before = await counted()
  // Nothing is left to count, and counted anew it is the same.
  expect(await countDueSteps(client)).toBe(0)
  await recountAll(client)
  expect(await counted()).toEqual(before)
})

test('windows of ten minutes count what was announced, and nothing else', async () => {
  await store([raise(noon), back(noon + minuteMs), raise(noon + 11 * minuteMs, 'returned', false)])
  await store([raise(noon + 9 * minuteMs)])
  await countDueSteps(client)
  expect(await tens()).toEqual([[0, 2]])
})

test('what ingest announces is noted with its step, and what is under a tag is not', async () => {
  const happens = async (act: 'raise' | 'return') => {
    const batch = new Batch(1)
    batch.events.push(linkEvent(plant.line().device.gateway, 'stale', act, plant.now))
    await new Committer(client, 90).commit(batch, plant.now)
    plant.now += 11 * minuteMs
  }
  await happens('raise')
  await happens('return')
  await happens('raise')
  const steps = await plant.rows<{ act: string; announced: boolean }>(
    'select act, announced from event_transition order by step_id',
  )
  expect(steps.map(({ act, announced }) => [act, announced])).toEqual([
    ['raise', true],
    ['return', false],
    ['raise', true],
  ])
  await countDueSteps(client)
  expect(await plant.rows('select raised, announced from event_day')).toEqual([{ raised: 2, announced: 2 }])
})

test('events from before steps were kept are counted by what they show, once', async () => {
  const id = await store([], noon)
  await client.query('update event set acknowledged_at = $2, returned_at = $3 where event_id = $1', [
    id,
    new Date(noon + 7 * secondMs),
    new Date(noon + 50 * secondMs),
  ])
  await recountAll(client)
  const expected = [[0, { raised: 1, announced: 1, active: 50, ack: [7] }]]
  expect(await days()).toEqual(expected)
  await countDueSteps(client)
  expect(await days()).toEqual(expected)
})

test('servers that count at the same time count each step once', async () => {
  for (let i = 0; i < 30; i++) await store([raise(noon + i * minuteMs), back(noon + (i + 2) * minuteMs)])
  await Promise.all([countDueSteps(client), countDueSteps(other)])
  expect(await days()).toEqual([[0, { raised: 30, announced: 30, active: 3_600 }]])
})

test('of a server that is killed while it counts, another counts what is left, each step once', async () => {
  await store([raise(noon), back(noon + 2 * minuteMs)])
  const killed = await plant.database.connect()
  killed.on('error', () => {})
  await other.query('begin; lock table event_day')
  const counting = countDueSteps(killed).catch((error: unknown) => error)
  const waiting = () =>
    client.query<{ pid: number }>('select pid from pg_locks where not granted and relation = $1::regclass', ['event_day'])
  await vi.waitUntil(async () => (await waiting()).rows.length > 0)
  await client.query('select pg_terminate_backend($1)', [(await waiting()).rows[0]?.pid])
  expect(await counting).toBeInstanceOf(Error)
  await other.query('rollback')
  expect(await days()).toEqual([])
  await countDueSteps(client)
  expect(await days()).toEqual([[0, { raised: 1, announced: 1, active: 120 }]])
})

test('a step that is stored while others are counted anew is counted once', async () => {
  await store([raise(noon)])
  await recountAll(client)
  await store([raise(noon + minuteMs)])
  await countDueSteps(client)
  expect(await days()).toEqual([[0, { raised: 2, announced: 2 }]])
})

test('in another time zone days are others: they are counted anew', async () => {
  await store([raise(noon - 5 * 3_600_000)])
  await countDueSteps(client)
  expect(await days()).toEqual([[0, { raised: 1, announced: 1 }]])
  await plant.rows("update project set time_zone = 'UTC'")
  await countDueSteps(client)
  expect(await days()).toEqual([[-1, { raised: 1, announced: 1 }]])
})

test('what a gateway raised in two projects counts as one place', async () => {
  await store([raise(noon)])
  const moved = await store([raise(noon + minuteMs)])
  await plant.rows(`with other as (insert into project (city_id, name, time_zone) select min(city_id), '${moved}', 'Asia/Shanghai' from city returning project_id)
    update event set project_id = other.project_id from other where event_id = ${moved}`)
  await countDueSteps(client)
  expect(await plant.rows('select gateway_id = 0 as is_none, project_id from event_place')).toEqual([
    { is_none: false, project_id: 0 },
  ])
  expect(await days()).toEqual([[0, { raised: 2, announced: 2 }]])
  const before = await counted()
  await recountAll(client)
  expect(await counted()).toEqual(before)
})

test('steps and events that are gone when it is counted anew stand in no list behind a figure', async () => {
  const [kept, gone] = [await store([raise(noon)]), await store([raise(noon + minuteMs), back(noon + 2 * minuteMs)])]
  const bare = await store([raise(noon + 3 * minuteMs)])
  await countDueSteps(client)
  await client.query('delete from event where event_id = $1', [gone])
  await client.query('delete from event_transition where event_id = $1', [bare])
  await recountAll(client)
  expect(await days()).toEqual([[0, { raised: 2, announced: 2 }]])
  expect(await plant.rows('select event_id, step_id > 0 as is_step from event_counted order by event_id')).toEqual([
    { event_id: kept, is_step: true },
    { event_id: bare, is_step: false },
  ])
})

test('what became graver after it was counted keeps the priority that it was counted with', async () => {
  const id = await store([raise(noon)])
  await countDueSteps(client)
  await client.query("update event set priority = 'critical' where event_id = $1", [id])
  await client.query(
    `insert into event_transition (event_id, at, act, from_state, to_state, announced) values ($1, $2, 'expire', 'acknowledged', 'active', true)`,
    [id, new Date(noon + minuteMs)],
  )
  const byPriority = () =>
    plant.rows('select priority, announced from event_day join event_place using (place_id) order by priority')
  await countDueSteps(client)
  const expected = [
    { priority: 'critical', announced: 1 },
    { priority: 'high', announced: 1 },
  ]
  expect(await byPriority()).toEqual(expected)
  await recountAll(client)
  expect(await byPriority()).toEqual(expected)
})

const anyLife = fc.record({
  at: fc.integer({ min: 0, max: 3 * dayMs }),
  again: fc.integer({ min: 0, max: 3 }),
  lasts: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 2 * dayMs })),
  acknowledged: fc.boolean(),
})
test('kept in portions or made anew, the counts are the same, and each is listed as what it was counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLife, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (lives, portion) => {
        await empty()
        for (const [i, { at, again, lasts, acknowledged }] of lives.entries()) {
          const steps: Step[] = []
          for (let n = 0; n <= again; n++) {
            const raisedAt = noon + at + n * (lasts + 20 * secondMs)
            steps.push(raise(raisedAt, n === 0 ? null : 'returned', n === 0))
            if (acknowledged) steps.push(acknowledge(raisedAt + Math.floor(lasts / 2)))
            steps.push(back(raisedAt + lasts, acknowledged ? 'acknowledged' : 'active', acknowledged ? 'normal' : 'returned'))
          }
          await store(steps)
          if (i % portion === 0) await countDueSteps(client)
        }
        await countDueSteps(client)
        const kept = await counted()
        await recountAll(client)
        expect(await counted()).toEqual(kept)
        const listed = countedAs.map((_, bit) => `count(*) filter (where counted & ${1 << bit} <> 0)::int`).join(', ')
        const figures = await plant.rows<{
          listed: number[]
          sums: number[]
        }>(`select array[${listed}] as listed, (select array[sum(raised)::int, sum(announced)::int,
        sum(folded)::int, sum(bursts)::int, sum(fleeting)::int, sum(unjustified)::int,
        (select coalesce(sum(times), 0)::int from event_ack)] from event_day) as sums
        from event_counted`)
        expect(figures[0]?.listed).toEqual(figures[0]?.sums)
      },
    ),
    { numRuns: process.env.TEST_LONG ? 500 : 15 },
  )
})
