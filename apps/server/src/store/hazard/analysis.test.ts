import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { PlaceRow } from './analysis.ts'
import { announcedOf, frequentIn, placesOf, windowsOf } from './analysis.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

const all = {
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

const fill = (rows: readonly object[]) =>
  sql`
  with days as (delete from event_day), tens as (delete from event_ten) select`
    .execute(db.database.general)
    .then(() =>
      sql`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (day int, gateway_id int, project_id int, device_id int,
        line_id int, key text, kind text, priority text, raised int, announced int, folded int, bursts int, fleeting int, unjustified int)
    ), tens as (
      insert into event_ten select day, gateway_id, project_id, device_id, line_id, key, kind, priority, announced, folded from given
    )
    insert into event_day select *, 1000, 0, '{}' from given`.execute(db.database.general),
    )

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
      expect((await announcedOf(db.database, all, days)).toSorted((a, b) => a.ten - b.ten)).toEqual(
        windows.map(({ ten, critical, high, medium, low }) => ({ ten, announced: critical + high + medium + low })),
      )
    }),
    { numRuns: 100 },
  )
})
