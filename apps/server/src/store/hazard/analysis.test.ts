import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { PlaceRow } from './analysis.ts'
import { ackSecondsOf, announcedOn, frequentIn, overDayOf, placesOf, totalOf, windowsOf } from './analysis.ts'
import type { CountFilter } from './filter.ts'
import { sumAnew } from './recount-rows.ts'

let db: TestDatabase
let client: pg.Client
beforeAll(async () => {
  db = await testDatabase()
  client = await db.database.connect()
})
afterAll(async () => {
  await client?.end()
  await db?.drop()
})

const all: CountFilter = {
  ...{ seen: null, projectIds: null, gatewayId: null, deviceId: null, lineId: null },
  ...{ keys: null, kinds: null, priorities: null },
}
const days = { from: 20_000, to: 20_003 }

// Few places and numbers, so that there are equal ones.
const few = (max: number) => fc.integer({ min: 0, max })
const counted = fc.uniqueArray(
  fc.record({
    ...{
      day: fc.integer({ min: days.from - 1, max: days.to }),
      gateway_id: few(2),
      project_id: few(1),
      device_id: few(2),
      line_id: few(3),
    },
    ...{
      key: fc.constantFrom('a', 'B', 'b'),
      kind: fc.constantFrom('alarm', 'fault'),
      priority: fc.constantFrom('critical', 'high', 'low'),
    },
    ...{ raised: few(3), announced: few(3), folded: few(3), bursts: few(1), fleeting: few(3), unjustified: few(3) },
  }),
  {
    maxLength: 60,
    selector: ({ day, gateway_id, project_id, device_id, line_id, key, kind, priority }) =>
      [day, gateway_id, project_id, device_id, line_id, key, kind, priority].join(),
  },
)

async function fill(rows: readonly object[]): Promise<void> {
  await client.query('truncate event_place, event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum')
  await client.query(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as given (day int, gateway_id int, project_id int, device_id int, line_id int,
         key text, kind text, priority text, raised int, announced int, folded int, bursts int, fleeting int, unjustified int)
     ), made as (
       insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
       select distinct gateway_id, project_id, device_id, line_id, key, kind, priority from given returning *
     ), placed as (
       select * from given join made using (gateway_id, project_id, device_id, line_id, key, kind, priority)
     ), tens as (
       insert into event_ten (ten, gateway_id, project_id, place_id, announced, folded)
       select day, gateway_id, project_id, place_id, announced, folded from placed
     ), acks as (
       insert into event_ack (day, gateway_id, project_id, place_id, seconds, times)
       select day, gateway_id, project_id, place_id, bursts, 1 + fleeting from placed
     )
     insert into event_day (day, gateway_id, project_id, place_id, raised, announced, folded, bursts, fleeting, unjustified, over_day, active_ms)
     select day, gateway_id, project_id, place_id, raised, announced, folded, bursts, fleeting, unjustified, folded, 1000 from placed`,
    [JSON.stringify(rows)],
  )
  await sumAnew(client)
}

/** The sums of places by what they have in common, those without any left in; equal ones in the order of places, which is by their ids. */
function summed<K>(places: readonly PlaceRow[], keyOf: (row: PlaceRow) => K) {
  const sums = new Map<string, { readonly of: K; raised: number }>()
  for (const row of places) {
    const of = keyOf(row)
    const sum = sums.get(JSON.stringify(of)) ?? { of, raised: 0 }
    sum.raised += row.raised
    sums.set(JSON.stringify(of), sum)
  }
  return [...sums.values()].toSorted((a, b) => b.raised - a.raised)
}
const siteOf = ({ gateway_id, project_id, device_id, line_id }: Omit<PlaceRow, 'key'>) => [
  gateway_id,
  project_id,
  device_id,
  line_id,
]

test('what is summed in the database is what the places of it come to, of equal ones in order of their ids', async () => {
  await fc.assert(
    fc.asyncProperty(counted, few(4), async (rows, most) => {
      await fill(rows)
      const places = await placesOf(db.database, all, days)
      const found = await frequentIn(db.database, all, { ...days, most })
      const worst = places.filter(({ raised }) => raised > 0).toSorted((a, b) => b.raised - a.raised)
      expect(found.worst.map((row) => [...siteOf(row as PlaceRow), row.key, row.raised])).toEqual(
        worst.slice(0, most).map((row) => [...siteOf(row), row.key, row.raised]),
      )
      expect(found.sites.map((row) => [siteOf(row as PlaceRow), row.raised])).toEqual(
        summed(places, siteOf).map(({ of, raised }) => [of, raised]),
      )
      expect(found.keys.map(({ key, raised }) => [key, raised])).toEqual(
        summed(
          places.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
          ({ key }) => key,
        ).map(({ of, raised }) => [of, raised]),
      )
      const sum = (of: keyof (typeof found)['total']) => places.reduce((sum, row) => sum + row[of], 0)
      expect(found.total).toEqual({
        ...{ raised: sum('raised'), folded: sum('folded'), bursts: sum('bursts') },
        ...{ fleeting: sum('fleeting'), unjustified: sum('unjustified') },
      })
      expect(found.chattered).toBe(places.filter(({ bursts }) => bursts > 0).length)
      const windows = await windowsOf(db.database, all, days)
      expect(await announcedOn(db.database, all, [days.from, days.from + 1, days.to])).toEqual(
        [(ten: number) => ten === days.from, (ten: number) => ten > days.from].map((isOn) =>
          windows
            .filter(({ ten }) => isOn(ten))
            .reduce((sum, { critical, high, medium, low }) => sum + critical + high + medium + low, 0),
        ),
      )
    }),
    { numRuns: 100 },
  )
})

// Of everything the sums are read, of parts the places: whoever sees every project by name reads the same.
const asked: Partial<CountFilter>[] = [{}, { keys: ['a', 'B'] }, { kinds: ['alarm'] }, { priorities: ['critical', 'low'] }]

test('what is kept summed of everything is what its places add up to', async () => {
  await client.query(`insert into project (city_id, name, time_zone) select min(city_id), n, 'UTC' from city, unnest(array['P', 'Q']) n group by n;
    insert into gateway (gateway_id, project_id, number, name, secret_hash, reporting_period_ms) overriding system value
      select n, min(project_id), n, n, '', 10000 from project, generate_series(1, 2) n group by n`)
  const projectIds = (await client.query<{ project_id: number }>('select project_id from project')).rows.map(
    (row) => row.project_id,
  )
  const read = async (filter: CountFilter) => [
    await windowsOf(db.database, filter, days),
    await announcedOn(db.database, filter, [days.from, days.from + 2, days.to]),
    await frequentIn(db.database, filter, { ...days, most: 3 }),
    await totalOf(db.database, filter, days),
    [...(await overDayOf(db.database, filter, days))].toSorted(([a], [b]) => a - b),
    (await ackSecondsOf(db.database, filter, days)).map((row) => JSON.stringify(row)).toSorted(),
  ]
  await fc.assert(
    fc.asyncProperty(counted, fc.constantFrom(...asked), async (rows, narrowed) => {
      // What is of a gateway names no project, and what is of a project as a whole no gateway.
      await fill(
        rows
          .filter(({ gateway_id, project_id }) => gateway_id === 0 || project_id === 0)
          .map((row) => ({ ...row, project_id: row.gateway_id === 0 ? projectIds[row.project_id] : 0 })),
      )
      const filter = { ...all, ...narrowed }
      expect(await read({ ...filter, seen: { projectIds, gatewayIds: [] } })).toEqual(await read(filter))
    }),
    { numRuns: 50 },
  )
})
