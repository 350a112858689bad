import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { anyOf, isChattered, isDue, isSuppressed } from './due.ts'

const now = Date.UTC(2026, 0, 15)
const dayMs = 86_400_000

// Much past, and nothing that is due: so it is almost every second.
let made: TestDatabase
beforeAll(async () => {
  made = await testDatabase()
  await sql`insert into project (city_id, name, time_zone)
    select city_id, 'P', 'UTC' from (select min(city_id) as city_id from city) as c`.execute(made.database.general)
  await events('normal', 10_000)
  await sql`analyze event`.execute(made.database.general)
})
afterAll(() => made?.drop())

const events = (state: string, count: number, suppressed: string | null = null) =>
  sql`insert into event (kind, priority, key, label_zh, label_en, point, project_id, raised_at, stored_at, state, suppressed, announced)
    select 'alarm', 'high', ${state} || coalesce(${suppressed}::text, ''), 'k', 'k', i::text, project_id, ${new Date(now - dayMs)}, ${new Date(now - dayMs)},
      ${state}, ${suppressed}, case when ${suppressed}::text is null then 1 else 0 end
    from project, generate_series(1, ${count}::int) i`.execute(made.database.general)

interface Node {
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** How these events are looked for: by which index of which order, and past how many others. Read as data: each version writes it otherwise. */
async function lookedFor(which: Parameters<typeof anyOf>[0]) {
  const { rows } = await sql<{
    'QUERY PLAN': readonly { readonly Plan: Node }[]
  }>`explain (analyze, format json) ${anyOf(which)}`.execute(made.database.general)
  const nodes: Node[] = rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan))
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  return {
    by: nodes.flatMap((node) => node['Index Name'] ?? []),
    from: nodes.some((node) => node['Index Cond'] !== undefined),
    past: nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0),
  }
}

// Open alarms come faster than the statistics by which a query is planned: those of the past alone are known, then those of a flood as well.
test('what is looked for each second is looked for in an index of its own, however many are open, folded or unacknowledged', async () => {
  await looked()
  await events('active', 1_000)
  await events('active', 1_000, 'incident')
  await looked()
  await sql`analyze event`.execute(made.database.general)
  await looked()
  // Whatever was suppressed or chattered while it was analysed is so no more.
  await sql`update event set suppressed = 'tag' where state = 'active' and suppressed is null`.execute(made.database.general)
  await sql`update event set suppressed = null, chatter_at = stored_at where suppressed = 'incident'`.execute(
    made.database.general,
  )
  await sql`analyze event`.execute(made.database.general)
  await sql`update event set suppressed = null, announced = 1 where state = 'active'`.execute(made.database.general)
  await looked()

  async function looked() {
    expect(await lookedFor(isDue(now))).toEqual({ by: ['event_due'], from: true, past: 0 })
    expect(await lookedFor(isSuppressed)).toEqual({ by: ['event_suppressed'], from: false, past: 0 })
    expect(await lookedFor(isChattered(now))).toEqual({ by: ['event_chattered'], from: true, past: 0 })
  }
})
