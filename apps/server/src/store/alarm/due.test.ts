import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { anyOf, isDue, isSuppressed } from './due.ts'

// Much past, and nothing that is due: so it is almost every second.
let made: TestDatabase
beforeAll(async () => {
  made = await testDatabase()
  await sql`insert into project (city_id, name, time_zone)
    select city_id, 'P', 'UTC' from (select min(city_id) as city_id from city) as c`.execute(made.database.general)
  await events('normal', 20_000)
  await sql`analyze event`.execute(made.database.general)
})
afterAll(() => made?.drop())

const events = (state: string, count: number) =>
  sql`insert into event (kind, priority, key, label_zh, label_en, point, project_id, raised_at, stored_at, state)
    select 'alarm', 'high', ${state}, 'k', 'k', i::text, project_id, now(), now(), ${state} from project, generate_series(1, ${count}::int) i`.execute(
    made.database.general,
  )

async function planOf(which: Parameters<typeof anyOf>[0]): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${anyOf(which)}`.execute(made.database.general)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const now = Date.UTC(2026, 0, 15)

// Open alarms come faster than the statistics by which a query is planned: those of the past alone are known, then those of a flood as well.
test('what is due is looked for in the index of what is due, however many are open', async () => {
  expect(await planOf(isDue(now))).toMatch(/Index Scan using event_due on event .*\n\s*Index Cond/)
  await events('active', 5_000)
  expect(await planOf(isDue(now))).toMatch(/Index Scan using event_due on event .*\n\s*Index Cond/)
  await sql`analyze event`.execute(made.database.general)
  expect(await planOf(isDue(now))).toMatch(/Index Scan using event_due on event .*\n\s*Index Cond/)
})

test('what a tag suppresses is looked for in the index of what is suppressed', async () => {
  expect(await planOf(isSuppressed)).toContain('Index Scan using event_suppressed on event')
})
