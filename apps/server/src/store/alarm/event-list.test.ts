import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import { openAlarmStates } from '@linewarden/rules/alarm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { EventRow } from './event.ts'
import type { EventFilter } from './event-filter.ts'
import { eventLabels, listEvents } from './event-list.ts'
import type { EventOrder } from './event-page.ts'
import { sortedAtMost } from './event-page.ts'

// Whatever way the store takes to a page, few that are sorted or many that are walked, it is the page of the whole in order. Events of two
// projects in a year, more than are sorted; some were stored late, some raised again, and alarms differ in what priority they have.
const dayMs = 86_400_000
const now = Date.UTC(2026, 0, 15)
const size = 20
let made: TestDatabase
let all: readonly EventRow[]

beforeAll(async () => {
  made = await testDatabase()
  const client = await made.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select min(city_id), n, 'UTC' from city, unnest(array['P', 'Q']) n group by n;
    insert into gateway (project_id, number, name, secret_hash, reporting_period_ms)
      select project_id, name || n, '', '', 10000 from project, generate_series(1, 2) n;
    insert into event (kind, priority, key, label_zh, label_en, point, project_id, gateway_id, raised_at, stored_at, raises, raised_again_at, state)
      select kind, priority, key, key, key, i::text, project_id, gateway_id, at, at, 1 + i % 5,
        case when i % 11 = 0 then at + interval '1 day' * (i % 90) end, case when i % 60 = 0 then 'active' when i % 3 > 0 then 'normal' end
      from (select i, i % 4 as place, hashint4(i) & 31 as mix, now - interval '365 days' * (13000 - i) / 13000
          - case when i % 13 = 0 then interval '40 days' else interval '0' end as at
        from generate_series(1, 13000) i, (select timestamptz '2026-01-15' as now) given) of
      cross join lateral (select case when mix < 20 then 'often' when mix < 31 then 'less' else 'seldom' end as key,
        case when mix < 20 then 'alarm' when mix < 31 then 'warning' else 'fault' end as kind,
        case when mix < 12 then 'critical' when mix < 20 then 'high' when mix < 31 then 'low' else 'medium' end as priority) named
      join (select row_number() over (order by gateway_id) - 1 as n, gateway_id, project_id from gateway) placed on n = place;
    insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
      select distinct gateway_id, 0, 0, 0, key, kind, priority from event;
    insert into event_counted (event_id, step_id, at, day, gateway_id, project_id, place_id, priority, counted)
      select event_id, nth, at, floor(extract(epoch from at) / 86400), gateway_id, 0, place_id, priority, case when nth = 0 then 3 else 1 end
      from event join event_place using (gateway_id, key, kind, priority) cross join generate_series(0, raises - 1) nth
        cross join lateral (select raised_at + nth * interval '5 hours' as at) as moment;
    analyze event; analyze event_counted; analyze event_place`)
  all = (await client.query<EventRow>('select * from event')).rows
  await client.end()
})
afterAll(() => made?.drop())

const none: EventFilter = {
  ...{ seen: null, projectIds: null, gatewayId: null, device: null, line: null, open: false, keys: null, kinds: null },
  ...{ priorities: null, states: null, from: null, to: null, shelved: null, named: null, folded: null, incidentId: null },
  ...{ upTo: null, after: null, mark: null, newest: false, here: null, model: null, counted: null },
}
const ofKeys = (keys: readonly string[]) => ({ projectIds: [], gatewayIds: [], deviceIds: [], lineIds: [], keys })
const raised = ({ raised_at, raised_again_at }: EventRow) => Math.max(raised_at.getTime(), raised_again_at?.getTime() ?? 0)
const since = (days: number) => now - days * dayMs

const filters: readonly (readonly [string, Partial<EventFilter>, (row: EventRow) => boolean])[] = [
  ['everything', {}, () => true],
  ['of one project', { projectIds: [1] }, ({ project_id }) => project_id === 1],
  ['what needs somebody', { open: true }, ({ state }) => openAlarmStates.some((each) => each === state)],
  ['one alarm', { keys: ['often'] }, ({ key }) => key === 'often'],
  ['two alarms, one of them twice', { keys: ['often', 'less', 'less'] }, ({ key }) => key !== 'seldom'],
  ['two alarms by a text', { named: ofKeys(['often', 'less']) }, ({ key }) => key !== 'seldom'],
  ['two kinds', { kinds: ['alarm', 'warning'] }, ({ kind }) => kind !== 'fault'],
  ['three priorities', { priorities: ['low', 'critical', 'high'] }, ({ priority }) => priority !== 'medium'],
  ['since half a year', { from: since(364) }, (row) => raised(row) >= since(364)],
  ['since a week', { from: since(7) }, (row) => raised(row) >= since(7)],
  ['before this month', { to: since(15) }, ({ raised_at }) => raised_at.getTime() < since(15)],
  [
    'most of the year',
    { from: since(360), to: since(5) },
    (row) => raised(row) >= since(360) && row.raised_at.getTime() < since(5),
  ],
  [
    'most of the year of two alarms',
    { from: since(390), to: since(2), keys: ['often', 'less'] },
    (row) => raised(row) >= since(390) && row.raised_at.getTime() < since(2) && row.key !== 'seldom',
  ],
  [
    'what is seen of it',
    { seen: { projectIds: [1], gatewayIds: [3] } },
    ({ project_id, gateway_id }) => project_id === 1 || gateway_id === 3,
  ],
]
const rank = (priority: Priority) => -priorities.indexOf(priority)
const values: Readonly<Record<EventOrder, (row: EventRow) => number>> = {
  EventID: () => 0,
  Priority: ({ priority }) => rank(priority),
  RaisedAt: ({ raised_at }) => raised_at.getTime(),
  Raises: ({ raises }) => raises,
}
const sorts = Object.keys(values).flatMap((order) => [order, `-${order}`]) as (EventOrder | `-${EventOrder}`)[]

/** How often an event was counted so: raised at once and every five hours from then on, announced the first time. */
const countedOf = ({ raised_at, raises }: EventRow, as: 'raised' | 'announced', from: number, to: number): number =>
  Array.from({ length: as === 'raised' ? raises : 1 }, (_, nth) => raised_at.getTime() + nth * 5 * 3_600_000).filter(
    (at) => at >= from && at < to,
  ).length
const between = (as: 'raised' | 'announced', from: number | null, to: number | null) =>
  ({ counted: { as, from, to, days: null, hour: null } }) as const
const onDays = (as: 'raised' | 'announced', from: number, to: number) =>
  ({ counted: { as, from: null, to: null, days: { from: from / dayMs, to: to / dayMs }, hour: null } }) as const

type Times = (row: EventRow) => number
const counted: readonly (readonly [string, Partial<EventFilter>, Times])[] = [
  ['ever raised', between('raised', null, null), (row) => row.raises],
  [
    'raised in most of the year',
    between('raised', since(360), since(2)),
    (row) => countedOf(row, 'raised', since(360), since(2)),
  ],
  [
    'raised on days of half a year',
    onDays('raised', since(300), since(10)),
    (row) => countedOf(row, 'raised', since(300), since(10)),
  ],
  ['announced on a few days', onDays('announced', since(9), since(3)), (row) => countedOf(row, 'announced', since(9), since(3))],
  [
    'raised in most of the year, of one alarm',
    { ...between('raised', since(400), since(2)), keys: ['often'] },
    (row) => (row.key === 'often' ? countedOf(row, 'raised', since(400), since(2)) : 0),
  ],
  [
    'raised in most of the year, with a priority',
    { ...between('raised', since(400), since(0)), priorities: ['critical', 'low'] },
    (row) => (row.priority === 'critical' || row.priority === 'low' ? countedOf(row, 'raised', since(400), since(0)) : 0),
  ],
  [
    'raised in most of the year, of a kind and a gateway',
    { ...between('raised', since(400), since(0)), kinds: ['alarm'], gatewayId: 2 },
    (row) => (row.kind === 'alarm' && row.gateway_id === 2 ? countedOf(row, 'raised', since(400), since(0)) : 0),
  ],
  [
    'raised in most of the year, and needing somebody',
    { ...between('raised', since(400), since(0)), open: true },
    (row) => (openAlarmStates.some((each) => each === row.state) ? countedOf(row, 'raised', since(400), since(0)) : 0),
  ],
  [
    'raised in most of the year, as far as it is seen',
    { ...between('raised', since(400), since(0)), seen: { projectIds: [1], gatewayIds: [3] } },
    (row) => (row.project_id === 1 || row.gateway_id === 3 ? countedOf(row, 'raised', since(400), since(0)) : 0),
  ],
]

test.each(counted)('the list of what was %s is of those events, and says how often', async (_, given, times) => {
  await expectPages(
    { ...none, ...given },
    (row) => times(row) > 0,
    all.reduce((sum, row) => sum + times(row), 0),
  )
})

test.each(filters)('pages of %s are those of the whole in each order', (_, given, matches) =>
  expectPages({ ...none, ...given }, matches, null),
)

async function expectPages(filter: EventFilter, matches: (row: EventRow) => boolean, times: number | null): Promise<void> {
  const matching = all.filter(matches)
  for (const sort of sorts) {
    const value = values[sort.replace('-', '') as EventOrder]
    const sign = sort.startsWith('-') ? -1 : 1
    const expected = matching
      .toSorted((a, b) => sign * (value(a) - value(b) || Number(a.event_id) - Number(b.event_id)))
      .map(({ event_id }) => event_id)
    const page = (before: string | null, nth: number) =>
      listEvents(made.database, filter, { sort, before, page: nth, size, maxTotal: sortedAtMost })
    const first = await page(null, 1)
    const second = await page(first.next, 1)
    const far = await page(null, 400)
    const ids = [...first.rows, ...second.rows, ...far.rows].map(({ event_id }) => event_id)
    expect(ids, sort).toEqual([...expected.slice(0, 2 * size), ...expected.slice(399 * size, 400 * size)])
    expect([first.total, first.isTotalExact]).toEqual([Math.min(expected.length, sortedAtMost), expected.length <= sortedAtMost])
    expect([first.times, second.times]).toEqual([times, times])
  }
}

test('some of these are sorted, and some are walked', () => {
  const counts = filters.map(([, , matches]) => all.filter(matches).length)
  expect(counts.filter((count) => count > sortedAtMost).length).toBeGreaterThan(4)
  expect(counts.filter((count) => count <= sortedAtMost).length).toBeGreaterThan(4)
})

test('an alarm is called as its newest event is, whatever priority that has', async () => {
  const newest = new Map(all.toSorted((a, b) => Number(a.event_id) - Number(b.event_id)).map((row) => [row.key, row]))
  const client = await made.database.connect()
  for (const [key, { event_id }] of newest)
    await client.query('update event set label_zh = $1, label_en = $2 where event_id = $3', [`新 ${key}`, `new ${key}`, event_id])
  await client.end()
  expect(await eventLabels(made.database)).toEqual(
    ['less', 'often', 'seldom'].map((key) => ({ key, zh: `新 ${key}`, en: `new ${key}` })),
  )
})
