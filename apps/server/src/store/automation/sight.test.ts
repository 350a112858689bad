import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessScope } from '../core/row-security.ts'
import { withRowSecurity } from '../core/row-security.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'

// Two projects. Of the first there are two gateways with a line each; a line of the first gateway is named by something of the second project.
let db: TestDatabase
const seesNothing: AccessScope = {
  all: false,
  projectIds: [],
  gatewayIds: [],
  tenant: null,
  administrator: false,
  accountId: null,
}
const ids: Record<string, number> = {}

async function one(text: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const { rows } = await text.execute(db.database.general)
  return rows[0]?.id ?? 0
}

async function plant(): Promise<void> {
  const city = await one(sql`insert into city (name) values ('a city') returning city_id as id`)
  for (const project of ['own', 'other'])
    ids[project] = await one(
      sql`insert into project (city_id, name, time_zone, standard) values (${city}, ${project}, 'UTC', 'GB') returning project_id as id`,
    )
  for (const [name, project] of [
    ['first', ids.own],
    ['second', ids.own],
    ['third', ids.other],
  ] as const) {
    ids[name] =
      await one(sql`insert into gateway (project_id, number, name, secret_hash) values (${project}, ${name}, ${name}, 'x')
      returning gateway_id as id`)
    ids[`line of ${name}`] = await one(sql`with d as (insert into device (gateway_id, controller_id, name, family, model)
      values (${ids[name]}, ${name}, ${name}, 'breaker3p', '3P') returning device_id)
      insert into line (device_id, line_no, name) select device_id, 1, ${name} from d returning line_id as id`)
  }
}

const run = (name: string, source: string, project: string, sourceId = 0) => sql`
  insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, actor)
  values (gen_random_uuid(), ${source}, ${sourceId}, ${ids[project]}, ${name}, now(), now(), 'done', 'x')`

/** A group operation on a line, as part of a run or of one that the run fired. */
const operated = (name: string, line: string, column: 'automation_run_id' | 'outer_run_id') => sql`
  with o as (insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ${sql.ref(column)})
    select gen_random_uuid(), 'trip', 'x', '', 1000, now(), run_id from automation_run where name = ${name} returning run_id)
  insert into operation_run_line select run_id, 0, ${ids[`line of ${line}`]}, gen_random_uuid(), 'ordered' from o`

async function timer(name: string, project: string, line: string | null, scene: number | null = null): Promise<void> {
  const id = await one(sql`
    insert into timer (project_id, name, function, schedule, scene_id, keep_while_wanted, enabled, owner_name, changed_at, changed_by)
    values (${ids[project]}, ${name}, ${scene ? 'scene' : 'switch'}, '{}', ${scene}, false, true, 'x', now(), 'x') returning timer_id as id`)
  if (line) await sql`insert into timer_line values (${id}, 0, ${ids[`line of ${line}`]})`.execute(db.database.general)
}

async function linkage(name: string, project: string, of: { condition?: string; action?: string }): Promise<number> {
  const { general } = db.database
  const id =
    await one(sql`insert into linkage (project_id, name, enabled, mode, match, active_hours, cooldown_s, max_per_hour, max_per_day,
      may_close, owner_name, changed_at, changed_by)
    values (${ids[project]}, ${name}, true, 'live', 'all', '[]', 60, 1, 1, false, 'x', now(), 'x') returning linkage_id as id`)
  if (of.condition)
    await sql`insert into linkage_condition values (${id}, 0, 'point', ${ids[`line of ${of.condition}`]}, 'x', '>', 1, 0, 0)`.execute(
      general,
    )
  if (of.action)
    await sql`insert into linkage_action values (${id}, 0, 'trip', ${ids[`line of ${of.action}`]}, null, 0)`.execute(general)
  return id
}

beforeAll(async () => {
  db = await testDatabase()
  const { general } = db.database
  await plant()
  const scene = await one(sql`insert into scene (project_id, name, icon, if_refused, enabled, owner_name, changed_at)
    values (${ids.own}, 'scene', 'x', 'goOn', true, 'x', now()) returning scene_id as id`)
  await sql`insert into scene_item values (${scene}, ${ids['line of first']}, 'trip', 0, 0)`.execute(general)
  await timer('on the first', 'own', 'first')
  await timer('on the second', 'own', 'second')
  await timer('of the scene', 'own', null, scene)
  await timer('of another project', 'other', 'first')
  const watching = await linkage('watches the first', 'own', { condition: 'first' })
  await linkage('trips the first', 'own', { condition: 'second', action: 'first' })
  const elsewhere = await linkage('on the second', 'own', { condition: 'second', action: 'second' })
  const foreign = await linkage('of another project', 'other', { condition: 'first' })
  for (const each of [
    run('tripped the first', 'timer', 'own'),
    operated('tripped the first', 'first', 'automation_run_id'),
    run('fired a scene on the first', 'timer', 'own'),
    operated('fired a scene on the first', 'first', 'outer_run_id'),
    run('tripped the second', 'timer', 'own'),
    operated('tripped the second', 'second', 'automation_run_id'),
    run('tripped the first for another project', 'timer', 'other'),
    operated('tripped the first for another project', 'first', 'automation_run_id'),
    run('ordered nothing', 'timer', 'own'),
    run('linkage, ordered nothing', 'linkage', 'own', watching),
    run('linkage on the second', 'linkage', 'own', elsewhere),
    run('linkage of another project', 'linkage', 'other', foreign),
  ])
    await each.execute(general)
})
afterAll(() => db?.drop())

const seen = (scope: Partial<AccessScope>, table: 'timer' | 'linkage' | 'automation_run'): Promise<string[]> =>
  withRowSecurity(db.database, { ...seesNothing, ...scope }, async ({ general }) => {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(general)
    return rows.map(({ name }) => name)
  })

test('single gateways show the timers, linkages and runs of their project that name a line of theirs, and no other', async () => {
  const scope = { gatewayIds: [ids.first ?? 0] }
  expect(await seen(scope, 'timer')).toEqual(['of the scene', 'on the first'])
  expect(await seen(scope, 'linkage')).toEqual(['trips the first', 'watches the first'])
  expect(await seen(scope, 'automation_run')).toEqual([
    'fired a scene on the first',
    'linkage, ordered nothing',
    'tripped the first',
  ])
})

test('a project shows all of its own, and nothing of another that names its lines', async () => {
  const scope = { projectIds: [ids.own ?? 0] }
  expect(await seen(scope, 'timer')).toEqual(['of the scene', 'on the first', 'on the second'])
  expect(await seen(scope, 'linkage')).toEqual(['on the second', 'trips the first', 'watches the first'])
  expect(await seen(scope, 'automation_run')).toHaveLength(6)
})

test('who sees nothing sees none of them, and whoever runs the installation all', async () => {
  for (const [table, count] of [
    ['timer', 4],
    ['linkage', 4],
    ['automation_run', 8],
  ] as const)
    expect([table, await seen({}, table), (await seen({ all: true }, table)).length]).toEqual([table, [], count])
})

// What a query of runs costs before it has read a row: each policy that joins tables writes out the policies of those, and so on.
test('a query of runs is planned over few tables', async () => {
  const scope = { ...seesNothing, projectIds: [1], gatewayIds: [2] }
  const plan = await withRowSecurity(db.database, scope, async ({ general }) => {
    const { rows } = await sql<
      Record<'QUERY PLAN', string>
    >`explain select from automation_run join timer on timer_id = source_id`.execute(general)
    return rows.map((row) => row['QUERY PLAN'])
  })
  expect(plan.filter((line) => / on \w+/.test(line))).toHaveLength(2)
})
