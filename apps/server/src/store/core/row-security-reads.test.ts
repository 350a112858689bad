import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertAccount } from '../account/account.ts'
import { ledgerLines, ledgerPage } from '../control/ledger.ts'
import { changesById, listChanges } from '../settings/setting-change.ts'
import { stepsOfChange } from '../settings/setting-step.ts'
import { listTemplates } from '../settings/setting-template.ts'
import type { AccessScope } from './row-security.ts'
import { withRowSecurity } from './row-security.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

// Settings and operations of two owners; the queries here ask for everything, or for what is the other's.
let db: TestDatabase
const none: AccessScope = { all: false, projectIds: [], gatewayIds: [], tenant: null, administrator: false, accountId: null }
const scopes = { anna: none, bert: none }
const ids = { anna: { change: '', command: '' }, bert: { change: '', command: '' } }

beforeAll(async () => {
  db = await testDatabase()
  const { general } = db.database
  for (const name of ['anna', 'bert'] as const) {
    const account = { userName: name, nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
    const tenant = (await insertAccount(general, { ...account, kind: 'project' }, null)) ?? ''
    const [change, command, run] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const { rows } = await sql<{ project_id: number; gateway_id: number; line_id: number }>`
      with c as (insert into city (name, owner_id) values (${name}, ${tenant}::uuid) returning city_id),
      p as (insert into project (city_id, owner_id, name, time_zone, standard) select city_id, ${tenant}::uuid, ${name}, 'UTC', 'GB' from c returning project_id),
      g as (insert into gateway (project_id, number, name, secret_hash) select project_id, ${name}, ${name}, 'x' from p returning gateway_id, project_id),
      d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, ${name}, ${name}, 'breaker3p', '3P' from g returning device_id),
      l as (insert into line (device_id, line_no, name) select device_id, 1, ${name} from d returning line_id)
      select project_id, gateway_id, line_id from g, l`.execute(general)
    const {
      project_id: projectId,
      gateway_id: gatewayId,
      line_id: lineId,
    } = rows[0] ?? { project_id: 0, gateway_id: 0, line_id: 0 }
    scopes[name] = { ...none, projectIds: [projectId], tenant }
    ids[name] = { change, command }
    for (const each of [
      sql`insert into setting_change (command_id, batch_id, gateway_id, line_id, wanted, former, state, actor, source, reason, fence, issued_at, deadline)
        values (${change}, ${change}, ${gatewayId}, ${lineId}, '{}', '{}', 'verified', ${name}, 'console', '', 1, now(), now())`,
      sql`insert into setting_step values (${change}, 1, 'authorised', now(), ${JSON.stringify({ of: name })})`,
      sql`insert into setting_desired values (${lineId}, 'leakage.trip', 30, ${change})`,
      sql`insert into setting_off values (${change}, 'leakage.trip', ${lineId}, 30, now(), 'standing')`,
      sql`insert into setting_template (owner_id, name, family, settings, changed_by, changed_at) values (${tenant}::uuid, ${name}, 'x', '{}', ${name}, now())`,
      sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, run_id)
        values (${command}, ${lineId}, 'selfTest', 'verified', ${name}, 'console', '', 2, now(), now(), ${run})`,
      sql`insert into command_step values (${command}, 1, 'authorised', now(), ${JSON.stringify({ of: name })})`,
      sql`insert into tag (tag_id, line_id, kind, holder, reason, placed_at) values (gen_random_uuid(), ${lineId}, 'tag', ${name}, '', now())`,
      sql`insert into inspection values (gen_random_uuid(), ${gatewayId}, null, null, ${name}, now(), now())`,
      sql`insert into self_test values (${command}, ${lineId}, now(), ${name}, 'passed', 20, 300, 30, 'x')`,
      sql`insert into detection_plan values (${lineId}, true, 31, 1, now(), ${name})`,
      sql`insert into quiet_hours (project_id, days, from_minute, to_minute) values (${projectId}, 127, 0, 60)`,
      sql`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at) values (${run}, 'selfTest', ${name}, '', 1000, now())`,
      sql`insert into operation_run_line values (${run}, 0, ${lineId}, ${command}, 'ordered')`,
      sql`insert into supply (project_id, name, account_no, members, billing_day, energy_step_wh, from_day)
        values (${projectId}, ${name}, '', '[]', 0, 1, 20000)`,
      sql`insert into reclosure (line_id, enabled, delays_s, actor, changed_at) values (${lineId}, true, '{10}', ${name}, now())`,
    ])
      await each.execute(general)
  }
})
afterAll(() => db?.drop())

const tables = [
  'line',
  'setting_change',
  'setting_step',
  'setting_desired',
  'setting_off',
  'setting_template',
  'command',
  'command_step',
  'tag',
  'inspection',
  'self_test',
  'detection_plan',
  'quiet_hours',
  'operation_run',
  'operation_run_line',
  'reclosure',
  'supply',
]

const everything = (scope: AccessScope, table: string, column?: string): Promise<string[]> =>
  withRowSecurity(db.database, scope, async ({ general }) => {
    const value = column === undefined ? sql`to_jsonb(t)` : sql.ref(column)
    const { rows } = await sql<{ row: string }>`select ${value}::text as row from ${sql.table(table)} t order by 1`.execute(
      general,
    )
    return rows.map(({ row }) => row)
  })

describe.each(tables)('a query of %s that forgot its filter', (table) => {
  test("answers one's own row and not the other owner's", async () => {
    const [anna, bert] = [await everything(scopes.anna, table), await everything(scopes.bert, table)]
    expect([anna.length, bert.length]).toEqual([1, 1])
    expect(anna).not.toEqual(bert)
  })

  test('answers nothing to who sees nothing, and everything to whoever runs the installation', async () => {
    expect(await everything(none, table)).toEqual([])
    expect(await everything({ ...none, all: true }, table)).toHaveLength(2)
  })
})

test('of tags on devices and whole gateways everybody sees those of their own', async () => {
  const { general } = db.database
  await sql`insert into tag (tag_id, device_id, kind, holder, reason, placed_at)
    select gen_random_uuid(), device_id, 'tag', name || ' device', '', now() from device`.execute(general)
  await sql`insert into tag (tag_id, gateway_id, kind, holder, reason, placed_at)
    select gen_random_uuid(), gateway_id, 'tag', name || ' gateway', '', now() from gateway`.execute(general)
  const holders = (scope: AccessScope) =>
    withRowSecurity(db.database, scope, async (seen) => {
      const rows = await seen.general.selectFrom('tag').select('holder').orderBy('holder').execute()
      return rows.map(({ holder }) => holder)
    })
  expect(await holders(scopes.anna)).toEqual(['anna', 'anna device', 'anna gateway'])
  expect(await holders(none)).toEqual([])
})

const rolled = { columns: 'count, min, mean, max, quality, known', values: "1, '{1}', '{1}', '{1}', 0, '{1}'" }
const made: Readonly<Record<string, { readonly columns: string; readonly values: string }>> = {
  reading: { columns: 'at, received_at, quality', values: 'now(), now(), 0' },
  reading_hour: { columns: `hour, ${rolled.columns}`, values: `now(), ${rolled.values}` },
  reading_day: { columns: `day, ${rolled.columns}`, values: `now(), ${rolled.values}` },
}

describe.each(Object.keys(made))('a query of %s that forgot its filter', (table) => {
  const rows = (scope: AccessScope, lines: readonly number[]) =>
    withRowSecurity(
      db.database,
      scope,
      async ({ general }) => {
        const { rows: found } = await sql<{ line_id: number }>`select line_id from ${sql.table(table)}`.execute(general)
        return found.map((row) => row.line_id)
      },
      lines,
    )

  test('answers the lines that were asked for, as far as they are seen', async () => {
    const { rows: lines } = await sql<{ line_id: number; name: string }>`select line_id, name from line`.execute(
      db.database.general,
    )
    const idOf = (name: string) => lines.find((each) => each.name === name)?.line_id ?? 0
    const both = [idOf('anna'), idOf('bert')]
    const { columns, values } = made[table] ?? { columns: '', values: '' }
    await sql`insert into ${sql.table(table)} (line_id, ${sql.raw(columns)}) select id, ${sql.raw(values)} from unnest(${both}::int[]) id`.execute(
      db.database.general,
    )
    expect(await rows(scopes.anna, both)).toEqual([idOf('anna')])
    expect(await rows(scopes.anna, [])).toEqual([])
    expect(await rows(none, both)).toEqual([])
    expect((await rows({ ...none, all: true }, both)).toSorted()).toEqual(both.toSorted())
  })
})

test("the services' own queries, asked for what is the other owner's, find nothing", async () => {
  const wide = { seen: null, lineId: null, batchId: null, off: false, page: 1, size: 10 }
  const { changes, total } = await withRowSecurity(db.database, scopes.anna, (seen) => listChanges(seen, wide))
  expect([changes.map(({ actor }) => actor), total]).toEqual([['anna'], 1])
  const foreign = ids.bert
  const found = await withRowSecurity(db.database, scopes.anna, async (seen) => [
    await changesById(seen, [foreign.change]),
    await stepsOfChange(seen, foreign.change),
    (await listTemplates(seen, { owner: { all: true }, name: 'bert', family: null, page: 1, size: 10 })).rows,
  ])
  expect(found).toEqual([[], [], []])
  const filter = {
    actor: null,
    action: null,
    state: null,
    source: null,
    operationId: null,
    commandId: null,
    from: null,
    to: null,
  }
  const ledger = await withRowSecurity(db.database, scopes.anna, (seen) =>
    ledgerPage(seen, filter, null, { offset: 0, limit: 10 }),
  )
  expect([ledger.rows.map(({ command }) => command.commandId), ledger.total]).toEqual([[ids.anna.command], 1])
})

describe('the lines whose commands somebody sees, asked with the rights of the owner as where the role cannot be made', () => {
  const any = { controllerId: null, lineNo: null, projectId: null, lineName: null }
  type Asked = Parameters<typeof ledgerLines>[1]
  const asked = async (filter: Partial<Asked>, scope: Parameters<typeof ledgerLines>[2]) => {
    const ids = await ledgerLines(db.database, { ...any, ...filter }, scope)
    if (ids === null) return null
    const { rows } = await sql<{
      name: string
    }>`select name from line where line_id = any(${[...ids]}::int[]) order by name`.execute(db.database.general)
    return rows.map(({ name }) => name)
  }
  const gatewayOf = async (name: string) => {
    const found = await db.database.general.selectFrom('gateway').select('gateway_id').where('name', '=', name).execute()
    return found.map((row) => row.gateway_id)
  }

  test('are those of their projects and single gateways', async () => {
    const { projectIds } = scopes.anna
    expect(await asked({}, { projectIds, gatewayIds: [] })).toEqual(['anna'])
    expect(await asked({}, { projectIds: [], gatewayIds: await gatewayOf('bert') })).toEqual(['bert'])
    expect(await asked({}, { projectIds, gatewayIds: await gatewayOf('bert') })).toEqual(['anna', 'bert'])
    expect(await asked({}, { projectIds: [], gatewayIds: [] })).toEqual([])
  })

  test('stay those, whatever is looked for', async () => {
    const scope = { projectIds: scopes.anna.projectIds, gatewayIds: [] }
    const [projectId = 0] = scopes.bert.projectIds
    for (const foreign of [{ controllerId: 'bert' }, { projectId }, { lineName: 'ber' }, { controllerId: 'bert', lineNo: 1 }])
      expect([foreign, await asked(foreign, scope), await asked(foreign, null)]).toEqual([foreign, [], ['bert']])
    expect(await asked({ lineNo: 1 }, scope)).toEqual(['anna'])
  })

  test('are all, told as such, to whoever runs the installation and looks for nothing', async () => {
    expect(await asked({}, null)).toBeNull()
    expect(await asked({ lineNo: 1 }, null)).toEqual(['anna', 'bert'])
    expect(await asked({ lineNo: 2 }, null)).toEqual([])
  })
})

test("what answers with the owner's rights answers the lists' role only, from our tables and nobody's temporary ones", async () => {
  const { rows } = await sql<{ name: string; everybody: boolean; lists: boolean; path: string[] }>`
    select proname as name, has_function_privilege('public', oid, 'execute') as everybody,
      has_function_privilege('linewarden_seen', oid, 'execute') as lists, proconfig as path
    from pg_proc where pronamespace = current_schema()::regnamespace and prosecdef order by 1`.execute(db.database.general)
  const facts = { everybody: false, lists: true, path: ['search_path=public, pg_temp'] }
  const names = [
    'accounts_within',
    'holds_none',
    'linkage_lies_on_seen_gateway',
    'run_lies_on_seen_gateway',
    'seen_account_name',
    'seen_gateway_ids',
    'seen_line_ids',
    'timer_lies_on_seen_gateway',
  ]
  expect(rows).toEqual(names.map((name) => ({ name, ...facts })))
})

test('the role of the lists reads no column that is called like a secret', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type <> 'boolean'
      and column_name ~ 'hash|secret|token|pepper|password|sealed|sign_on|credential|key'
      and has_column_privilege('linewarden_seen', format('%I.%I', table_schema, table_name), column_name, 'select')
    order by 1`.execute(db.database.general)
  // Keys of values and alarms; and of the log its chain and who, both of which whoever reads the log is shown.
  expect(rows.map(({ name }) => name)).toEqual([
    ...['alarm_rationale.key', 'alarm_tuning.key'],
    ...['audit.actor_key', 'audit.hash', 'audit.previous_hash'],
    ...[
      'event.key',
      'event_day_sum.key',
      'event_occurrence.key',
      'event_place.key',
      'event_shelf.key',
      'hazard.key',
      // Of a sheet and of an answer, by which they are known to be unchanged.
      'inspection_answer.content_hash',
      'inspection_sheet.approval_hash',
      'inspection_sheet.hash',
      'linkage_condition.key',
      'order_rule.keys',
    ],
    ...['setting_desired.key', 'setting_off.key', 'timer_conflict.keys', 'warning_evidence.seen_key', 'warning_rule.key'],
  ])
  for (const [table, column] of [
    ['account', 'password_hash'],
    ['account', 'control_hash'],
    ['account', 'sign_on'],
    ['gateway', 'secret_hash'],
  ] as const)
    await expect(everything({ ...none, all: true }, table, column), column).rejects.toMatchObject({ code: '42501' })
  expect(await everything({ ...none, all: true }, 'account', 'user_name')).toEqual(['anna', 'bert'])
})

test("whose plant it is, is told to the owner's people, and not to an account that it is shared with", async () => {
  const shared = { ...scopes.anna, accountId: null }
  expect(await everything(shared, 'account', 'user_name')).toEqual([])
  expect(await everything({ ...shared, accountId: crypto.randomUUID() }, 'account', 'user_name')).toEqual(['anna'])
})
