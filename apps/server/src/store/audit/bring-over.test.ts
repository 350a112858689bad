import { readdir, readFile } from 'node:fs/promises'
import type { AuditAction, SubjectKind } from '@linewarden/contract'
import { subjectKinds, subjectStored } from '@linewarden/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { SubjectSource, SubjectSources } from '../../audit/names.ts'
import { createSubjectNames, unnamed } from '../../audit/names.ts'
import type { Database } from '../core/database.ts'
import { openDatabase } from '../core/database.ts'
import { ownDatabase } from '../core/test-database.ts'
import { appendAudit } from './append.ts'
import { bringOverSubjects } from './bring-over.ts'
import { genesis, hashOf, walkAudit } from './chain.ts'

/** A database from before migration 0080 with an entry of every kind that was ever printed, brought to this version. */
let empty: Awaited<ReturnType<typeof ownDatabase>>
let database: Database

type Row = readonly [action: AuditAction, target: string, zh: string, en: string]

/** How each was shown before, where everything is called by what it is. */
const shown: readonly Row[] = [
  ['project.edit', 'project 12', '项目 12 · 名project', 'Project 12 · a project'],
  ['group.move', 'group 3', '分组 3 · 名group', 'Group 3 · a group'],
  ['role.delete', 'role 5', '角色 5 · 名role', 'Role 5 · a role'],
  ['firmware.pause', 'campaign 4', '升级任务 4 · 名campaign', 'Upgrade 4 · a campaign'],
  ['firmware.outcome', 'gateway 7', '网关 7 · 名gatewayId', 'Gateway 7 · a gatewayId'],
  ['firmware.outcome', 'GW-7', 'GW-7 · 名gateway', 'GW-7 · a gateway'],
  ['gateway.rename', 'GW-7', 'GW-7 · 名gateway', 'GW-7 · a gateway'],
  ['inspection.begin', 'T-1', 'T-1 · 名gatewayOrDevice', 'T-1 · a gatewayOrDevice'],
  ['token.issue', 'T-1', 'T-1 · 名device', 'T-1 · a device'],
  ['line.trip', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['setting.console', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['setting.copy', '12 lines, 4f1c', '12 条线路 · 4f1c', '12 lines · 4f1c'],
  ['event.acknowledge', '9007199254740993', '事件 9007199254740993 · 名event', 'Event 9007199254740993 · a event'],
  ['control.grant', 'trip:T-1/2', '分闸 · T-1/2 · 名line', 'Trip line · T-1/2 · a line'],
  ['control.grant', 'close:run/4f1c', '批量合闸 · 4f1c', 'Close several lines · 4f1c'],
  ['control.grant', `close:run/4f1c/${'a1'.repeat(32)}`, '批量合闸 · 4f1c', 'Close several lines · 4f1c'],
  ['control.grant', `set:4f1c/${'a1'.repeat(32)}`, '下发参数 · 4f1c', 'Change settings · 4f1c'],
  ['control.grant', `reclosure:T-1/2/${'a1'.repeat(32)}`, '设置自动重合闸 · T-1/2 · 名line', 'Set auto-reclose · T-1/2 · a line'],
  ['control.grant', 'reclosure:T-1/2', '设置自动重合闸 · T-1/2 · 名line', 'Set auto-reclose · T-1/2 · a line'],
  [
    'push.edit',
    'project 3 push 5',
    '项目 3 · 名project · 推送订阅 5 · 名push',
    'Project 3 · a project · Push subscription 5 · a push',
  ],
  // Refused, by the call's name: numbers that nobody has looked at.
  ['operateLine', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['deleteProject', '12', '项目 12 · 名project', 'Project 12 · a project'],
  ['rotateSecret', '7', '网关 7 · 名gatewayId', 'Gateway 7 · a gatewayId'],
  // What is a name already, or says nothing more.
  ...(
    [
      ['template.add', 'project 12'],
      ['template.add', 'GW-7'],
      ['login', '13900000001'],
      ['account.edit', 'Anna'],
      ['group.add', '照明'],
      ['firmware.upload', 'LW-G2 1.4.0'],
      ['run.stop', '4f1c'],
      ['control.grant', 'toString:T-1/2'],
      ['startRun', 'T-1/2 T-1/3'],
      // It may be a gateway's number or a controller's.
      ['inspect', '12'],
      ['branding.edit', ''],
    ] as const
  ).map(([action, target]) => [action, target, target, target] as const),
]

const everything = Object.fromEntries(
  Object.keys(subjectKinds).map((kind): [string, SubjectSource] => [
    kind,
    kind === 'run' || kind === 'batch'
      ? unnamed
      : { named: (_, ids) => new Map(ids.map((id) => [id, { zh: `名${kind}`, en: `a ${kind}` }])) },
  ]),
) as Record<SubjectKind, SubjectSource> as SubjectSources

async function run<R>(settings: pg.ClientConfig, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client(settings)
  await client.connect()
  return client
    .query(sql, values)
    .then(({ rows }) => rows as R[])
    .finally(() => client.end())
}
const own = () => empty.settings

beforeAll(async () => {
  empty = await ownDatabase('template0')
  const folder = new URL('../migrations/', import.meta.url)
  const before = (await readdir(folder)).filter((file) => file < '0080').sort()
  await run(own(), 'create table migration (name text primary key, applied_at timestamptz not null default now())')
  for (const file of before) {
    await run(own(), await readFile(new URL(file, folder), 'utf8'))
    await run(own(), 'insert into migration (name) values ($1)', [file])
  }
  await run(
    own(),
    `insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
     insert into gateway (project_id, number, name, secret_hash) select project_id, n, n, '' from project, unnest(array['GW-7', 'both']) n;
     insert into device (gateway_id, controller_id, name, family, model)
       select gateway_id, case number when 'both' then 'T-1' else 'both' end, '', 'breaker3p', '' from gateway`,
  )
  let previous_hash = genesis
  for (const [index, [action, target]] of [...shown, ['inspection.begin', 'both'] as const].entries()) {
    const row = {
      ...{ audit_id: String(index + 1), at: new Date(1_700_000_000_000 + index), actor: 'a', address: '::1', action, target },
      ...{ before: null, after: JSON.stringify({ index }), outcome: 'done', previous_hash, tree: null },
    }
    const hash = hashOf({ ...row, chain: 1, subject_kind: null, subject_id: null, gateway_id: null, claimed: false })
    const columns = Object.keys({ ...row, hash })
    await run(
      own(),
      `insert into audit (${columns}) values (${columns.map((_, i) => `$${i + 1}`)})`,
      Object.values({ ...row, hash }),
    )
    previous_hash = hash
  }
  database = await openDatabase(own(), () => {})
})
afterAll(async () => {
  await database?.close()
  await empty?.drop()
})

const entries = () => database.general.selectFrom('audit').selectAll().orderBy('audit_id').execute()

test('until they are brought over, old entries are nobody’s below the administrator, and the chain holds', async () => {
  await appendAudit(database.general, {
    ...{ at: Date.now(), actor: 'a', address: '', action: 'gateway.rename', outcome: 'done', tenant: null },
    subject: { kind: 'gateway', id: 'GW-7', gatewayId: 1 },
  })
  expect((await entries()).slice(0, -1).every((row) => row.chain === 1 && row.subject_kind === null)).toBe(true)
  expect(await walkAudit(database.general)).toEqual({ entries: shown.length + 2, firstBroken: null })
})

test('who checks the chain while old entries are brought over finds it whole', async () => {
  let asked = 0
  const meanwhile = database.general.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      asked += 1
      if (asked === 1) await bringOverSubjects(database, Date.now())
      return result
    },
  })
  expect(await walkAudit(meanwhile, 10)).toEqual({ entries: shown.length + 2, firstBroken: null })
  expect(asked).toBeGreaterThan(2)
})

test('what an old entry is about is filled in once, and the chain holds across the change', async () => {
  expect((await entries()).filter((row) => row.subject_kind === null)).toEqual([])
  expect(await walkAudit(database.general)).toEqual({ entries: shown.length + 3, firstBroken: null })
  // Everything is: nothing is written a second time.
  expect(await bringOverSubjects(database, Date.now())).toBe(false)
  expect((await walkAudit(database.general)).entries).toBe(shown.length + 3)
  await expect(run(own(), "update audit set subject_id = 'x' where audit_id = 1")).rejects.toThrow('append-only')
})

test('old entries are shown with the same names as before', async () => {
  const rows = (await entries()).slice(0, shown.length)
  const labels = await createSubjectNames(everything).labels(
    {} as Actor,
    rows.map((row) => ({ target: row.target, subject: subjectStored(row.subject_kind, row.subject_id) })),
  )
  expect(rows.map((row, i) => [row.action, row.target, labels[i]?.zh, labels[i]?.en])).toEqual(shown)
})

test('they stand at the gateway that has the number, or the device; what only a request named stands nowhere', async () => {
  const at = new Map(
    (await database.general.selectFrom('gateway').selectAll().execute()).map((row) => [row.gateway_id, row.number]),
  )
  const placed = (await entries()).flatMap((row) =>
    row.gateway_id === null || row.chain !== 1 ? [] : [`${row.action} ${row.target} at ${at.get(row.gateway_id)}`],
  )
  expect(placed).toEqual([
    'firmware.outcome GW-7 at GW-7',
    'gateway.rename GW-7 at GW-7',
    'inspection.begin T-1 at both',
    'token.issue T-1 at both',
    'line.trip T-1/2 at both',
    'setting.console T-1/2 at both',
  ])
  const claimed = (await entries()).filter((row) => row.claimed).map((row) => row.action)
  expect(claimed).toEqual(['operateLine', 'deleteProject', 'rotateSecret', 'startRun', 'inspect'])
})

test('an entry of the first version below newer ones, however right its hash, is found', async () => {
  const last = (await entries()).at(-1)
  const { audit_id, hash: previous_hash } = last ?? { audit_id: '0', hash: genesis }
  const row = {
    ...{ audit_id: String(BigInt(audit_id) + 1n), at: new Date(), actor: 'a', address: '', action: 'line.trip', target: 'T-1/2' },
    ...{ before: null, after: null, outcome: 'done', previous_hash, tree: null, chain: 1, claimed: false },
    ...{ subject_kind: 'nothing', subject_id: '', gateway_id: null },
  }
  const columns = { ...row, hash: hashOf(row) }
  await run(
    own(),
    `insert into audit (${Object.keys(columns)}) values (${Object.keys(columns).map((_, i) => `$${i + 1}`)})`,
    Object.values(columns),
  )
  expect((await walkAudit(database.general)).firstBroken).toBe(row.audit_id)
})

test('what was filled in is sealed: whoever changes it is found', async () => {
  const [seal] = (await entries()).filter((row) => row.action === 'audit.subjects')
  await run(own(), 'alter table audit disable trigger audit_append_only')
  await run(own(), 'update audit set gateway_id = null where audit_id = 10')
  expect((await walkAudit(database.general)).firstBroken).toBe(seal?.audit_id)
})
