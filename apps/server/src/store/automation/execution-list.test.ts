import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessScope } from '../core/row-security.ts'
import { withRowSecurity } from '../core/row-security.ts'
import type { Schema } from '../core/schema.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { ExecutionFilter } from './execution-list.ts'
import { aboutExecutions, countExecutions, executionsOf, executionsWhere } from './execution-list.ts'

// One project with two gateways, a line on each, and a timer for each line that has run ten thousand times.
let db: TestDatabase
let general: Kysely<Schema>
const ids: Record<string, number> = {}

async function one(text: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const { rows } = await text.execute(general)
  return rows[0]?.id ?? 0
}

/** A run that was claimed in this minute, with a group operation on each of these lines. */
async function run(
  name: string,
  minute: number,
  { source = 'timer', of = 0, state = 'done', lines = [] as readonly string[], outer = '' },
): Promise<void> {
  const id = crypto.randomUUID()
  await sql`insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, actor)
    values (${id}, ${source}, ${of}, ${ids.project}, ${name}, ${new Date(minute * 60_000)}, ${state === 'running' ? null : new Date(0)},
      ${state}, 'x')`.execute(general)
  for (const line of lines)
    await sql`with o as (
        insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, automation_run_id, outer_run_id)
        select gen_random_uuid(), 'trip', 'x', '', 1000, now(), ${id}, (select run_id from automation_run where name = ${outer})
        returning run_id)
      insert into operation_run_line select run_id, 0, ${ids[line]}, gen_random_uuid(), 'ordered' from o`.execute(general)
}

beforeAll(async () => {
  db = await testDatabase()
  general = db.database.general
  ids.project = await one(sql`with c as (insert into city (name) values ('c') returning city_id)
    insert into project (city_id, name, time_zone, standard) select city_id, 'P', 'UTC', 'GB' from c returning project_id as id`)
  for (const name of ['first', 'second']) {
    ids[`gateway of ${name}`] =
      await one(sql`insert into gateway (project_id, number, name, secret_hash) values (${ids.project}, ${name}, ${name}, 'x')
      returning gateway_id as id`)
    ids[name] = await one(sql`with d as (insert into device (gateway_id, controller_id, name, family, model)
        values (${ids[`gateway of ${name}`]}, ${name}, ${name}, 'breaker3p', '3P') returning device_id)
      insert into line (device_id, line_no, name) select device_id, 1, ${name} from d returning line_id as id`)
    ids[`timer of ${name}`] = await one(sql`
      with t as (insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_name, changed_at, changed_by)
        values (${ids.project}, ${name}, 'switch', '{}', false, true, 'x', now(), 'x') returning timer_id)
      insert into timer_line select timer_id, 0, ${ids[name]} from t returning timer_id as id`)
    await sql`insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, actor)
      select gen_random_uuid(), 'timer', 0, ${ids.project}, 'long ago', to_timestamp(0) - make_interval(mins => i), now(), 'done', 'x'
      from generate_series(1, 10000) i`.execute(general)
  }
  const [first, second] = [{ of: ids['timer of first'] ?? 0 }, { of: ids['timer of second'] ?? 0 }]
  await run('tripped both', 1, { ...first, lines: ['first', 'second'] })
  await run('tripped both twice', 2, { lines: ['first', 'first', 'second'] })
  await run('tripped the second', 3, { ...second, lines: ['second'] })
  await run('fired a scene', 4, { ...second, state: 'partly' })
  await run('scene', 4, { source: 'scene', lines: ['first'], outer: 'fired a scene' })
  await run('missed', 5, { ...first, state: 'missed' })
  await run('missed, of the second', 6, { ...second, state: 'missed' })
  await run('merged', 7, { ...first, state: 'merged' })
  await run('refused on the second, the first came later', 8, { ...first, state: 'refused', lines: ['second'] })
  await run('done, of nothing', 9, first)
  await run('goes on, has not begun', 10, { ...first, state: 'running' })
  await sql`analyze automation_run, operation_run, operation_run_line, timer, timer_line`.execute(general)
})
afterAll(() => db?.drop())

const names = async (filter: ExecutionFilter, page = { page: 1, size: 100 }) =>
  (await executionsWhere(general, filter, page)).map(({ name }) => name)

test('a log of one line has the runs that had it, each once, the newest first, and counts the same', async () => {
  const filter = { source: 'timer', lineIds: [ids.first ?? 0] } as const
  const all = ['merged', 'missed', 'fired a scene', 'tripped both twice', 'tripped both']
  expect(await names(filter)).toEqual(all)
  expect(await names(filter, { page: 2, size: 2 })).toEqual(all.slice(2, 4))
  expect(await countExecutions(general, filter)).toBe(5)
  const { total, states } = await aboutExecutions(general, filter)
  expect([total, ...states.map(({ state, count }) => `${state} ${count}`).sort()]).toEqual([
    5,
    'done 2',
    'merged 1',
    'missed 1',
    'partly 1',
  ])
})

test('of two lines a run of both counts once, and of scenes there are their own runs', async () => {
  const lineIds = [ids.first ?? 0, ids.second ?? 0]
  expect(await countExecutions(general, { source: 'timer', lineIds })).toBe(8)
  expect(await names({ source: 'scene', lineIds })).toEqual(['scene'])
  expect(await names({ source: 'timer', lineIds: [] })).toEqual([])
})

// What is asked of each run of a log is asked of all of them, whichever page is wanted.
test.each([
  ['who sees all', { all: true }],
  ['who sees the project', { projectIds: ['project'] }],
  ['who sees single gateways', { gatewayIds: ['gateway of first'] }],
])(
  'a log of one line is read by the ids of its runs: %s',
  async (_, of: { all?: boolean; projectIds?: string[]; gatewayIds?: string[] }) => {
    const numbers = (known: readonly string[] = []) => known.map((name) => ids[name] ?? 0)
    const scope: AccessScope = {
      ...{ all: of.all === true, projectIds: numbers(of.projectIds), gatewayIds: numbers(of.gatewayIds) },
      ...{ tenant: null, administrator: false, accountId: null },
    }
    const filter = { source: 'timer', lineIds: [ids.first ?? 0] } as const
    const plan = await withRowSecurity(db.database, scope, async (seen) => {
      const rows = await executionsOf(seen.general, filter).selectAll().explain<Record<'QUERY PLAN', string>>()
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    // PostgreSQL 15 calls what was found first by a number, later ones by its name.
    expect(plan).toMatch(/automation_run_pkey.*\n\s*Index Cond: \(run_id = ANY \((\(InitPlan|\$)/)
    expect(plan).not.toContain('Seq Scan on automation_run')
  },
)
