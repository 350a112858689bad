import type { AuditAction } from '@linewarden/contract'
import { actionNames } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../account/account.ts'
import type { Database } from '../core/database.ts'
import type { AccessScope } from '../core/row-security.ts'
import { withRowSecurity } from '../core/row-security.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { namesWithin } from '../people/user.ts'
import { bringOverSubjects } from './bring-over.ts'
import type { JournalFilter } from './list.ts'
import { listJournal } from './list.ts'
import type { SeenByAccount } from './readers.ts'
import { concerns } from './readers.ts'

/**
 * A log of whatever may stand in one, drawn at random, and alike in each run: names in any case, with strokes, of things removed, of nobody, and things that
 * are called alike. Whom an entry is for is said here once more, entry by entry, as one would say it.
 */
let db: TestDatabase
let tenant: string
let seen: SeenByAccount
let scope: AccessScope
let entries: Entry[]
/** What of it may be read, newest first. */
let shown: Entry[]

interface Entry {
  readonly id: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly outcome: string
  /** Unix ms. */
  readonly at: number
}

type Kind = 'account' | 'project' | 'group' | 'gateway' | 'controller'
type Topic<A> = A extends `${infer T}.${string}` ? T : never

/** What an entry about it may name. Nothing: it is the administrator's and its author's only. A new topic has to be decided on here. */
const kinds: Record<Topic<AuditAction> | 'logout', readonly Kind[]> = {
  account: ['account'],
  audit: [],
  login: ['account'],
  logout: ['account'],
  session: ['account'],
  project: ['project'],
  group: ['group'],
  gateway: ['gateway'],
  firmware: ['gateway'],
  inspection: ['gateway', 'controller'],
  line: ['controller'],
  device: ['controller'],
  trip: ['controller'],
  tag: ['controller'],
  token: ['controller'],
  selfTest: ['controller'],
  reclosure: ['controller'],
  setting: ['controller'],
  control: [],
  branding: [],
  key: [],
  role: [],
  push: [],
  topology: [],
  screen: [],
  event: [],
  tuning: [],
  quietHours: [],
  run: [],
  template: [],
  warningRule: [],
  rationale: [],
  timer: [],
  automationRun: [],
  calendar: [],
  scene: [],
  linkage: [],
  workOrder: [],
  healthCheck: [],
  deviceData: [],
  hazard: [],
  orderRule: [],
  inspectionPlan: [],
  inspectionRound: [],
  inspectionLabel: [],
  supply: [],
  meter: [],
  energyFix: [],
  virtualMeter: [],
  tariff: [],
  statement: [],
  budget: [],
  carbon: [],
  reportSchedule: [],
  reportRecipient: [],
  report: [],
  mail: [],
}
const ofAccounts = ['account', 'login', 'logout', 'session']

beforeAll(async () => {
  db = await testDatabase()
  const { general } = db.database
  const account = { nickName: '', roleId: null, passwordHash: 'x', controlHash: null }
  tenant = (await insertAccount(general, { ...account, userName: 'Owner', kind: 'project', projectIds: [] }, null)) ?? ''
  const { rows } = await sql<{ place: string; project_id: number; city_id: number; gateway_id: number; number: string }>`
    with p as (insert into project (city_id, owner_id, name, time_zone, standard)
      select city_id, ${tenant}::uuid, called, 'UTC', 'GB' from city, unnest(array['here', 'part', 'there']) called
      where owner_id = ${tenant}::uuid returning project_id, city_id, name),
    -- Over there a gateway is called as a controller here, and its controller as a gateway here.
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, each, name, 'x' from p,
      lateral unnest(array['G-' || name, 'Ä-' || name] || case when name = 'there' then array['DG-here'] end) each
      returning project_id, gateway_id, number),
    d as (insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, case when number = 'DG-here' then 'G-here' else 'D' || number end, '', 'smoke', 'x' from g)
    select g.*, p.name as place, city_id from g join p using (project_id) order by project_id, number`.execute(general)
  const of = (name: string) => rows.filter(({ place }) => place === name)
  const here = of('here')[0]?.project_id ?? 0
  const part = of('part')[0]?.gateway_id ?? 0
  const group = of('here')[0]?.city_id ?? 0
  const sub = (userName: string, projectIds: number[], gatewayIds: number[]) =>
    insertAccount(general, { ...account, userName, kind: 'sub', ownerId: tenant, projectIds, gatewayIds }, null)
  const accountId = (await sub('Near', [here], [part])) ?? ''
  await sub('Bei/Der', [], [part])
  for (const name of ['zoe', 'änne', 'a', '王工']) await sub(name, [here], [])
  await sub(
    'far',
    [here],
    of('there').map((row) => row.gateway_id),
  )
  // Some of them are new among entries that name others who were called so.
  for (const [name, hours] of [
    ['bei/der', 4],
    ['zoe', 3],
    ['王工', 2],
  ] as const)
    await sql`update account set created_at = now() - make_interval(hours => ${hours}) where lower(user_name) = ${name}`.execute(
      general,
    )
  // It keeps its project, and what is written of it is still read.
  await sql`update gateway set number = number || '~', removed_at = now() where number = 'Ä-here'`.execute(general)

  const within = { projectIds: [here], gatewayIds: [part], privileges: [], buttons: [] }
  const names = await namesWithin(db.database, accountId, tenant, within)
  seen = { ...within, accountId, names, groupIds: [group] }
  scope = { all: false, ...within, tenant, administrator: false, accountId }

  const numbers = rows.flatMap(({ number }) => [number, `${number}~`])
  const controllers = [...rows.map(({ number }) => `D${number}`), 'G-here']
  const targets = [
    ...[...numbers, ...controllers, ...controllers.map((each) => `${each}/1`), 'nobody', '', '/'],
    ...[`Group ${group}`, `group ${group}`, 'group 0'],
    ...['near', 'NEAR', 'bei/der', 'BEI/DER', 'bei', 'zoe', 'Zoe', 'änne', 'a', '王工', 'far', 'FAR', 'Owner'],
    ...rows.map(({ project_id }) => `project ${project_id}`),
  ]
  // Also of a former version, whose actions have no name any more.
  const actions = [...Object.keys(actionNames), 'gateway.former', 'former.gateway', 'account', 'line']
  const topics = ['gateway.rename', 'line.trip', 'account.edit', 'project.edit', 'group.edit', 'login', 'inspection.begin']
  const now = Date.now()
  const drawn = fc.record({
    actor: fc.constantFrom('near', 'Near', 'NEAR', 'owner', 'far', 'bei/der'),
    action: fc.oneof(fc.constantFrom(...topics), fc.constantFrom(...actions)),
    target: fc.constantFrom(...targets),
    outcome: fc.constantFrom('done', 'done', 'refused'),
    at: fc.constantFrom(-24, -3.5, -2.5, -1, 1).map((hours) => now + hours * hourMs),
  })
  entries = fc.sample(drawn, { seed: 1, numRuns: 6_000 }).map((entry, index) => ({ id: String(index + 1), ...entry }))
  await sql`insert into audit (audit_id, at, actor, address, action, target, outcome, previous_hash, hash, tree, chain, claimed)
    select id, to_timestamp(at / 1000.0), actor, '', action, target, outcome, '', '', ${tenant}::uuid, 1, false
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as (id bigint, at bigint, actor text, action text, target text, outcome text)`.execute(
    general,
  )
  // As a log from before there were subjects, brought over.
  await sql`insert into audit_bring_over values (${entries.length + 1})`.execute(general)
  while (await bringOverSubjects(db.database, now)) {}
  await sql`analyze audit`.execute(general)

  const since = new Map(names.map((each) => [each.name, each.since.getTime()]))
  const own = names.find((each) => each.accountId === accountId)
  const mine: Record<Exclude<Kind, 'account' | 'controller'>, ReadonlySet<string>> = {
    project: new Set([`project ${here}`]),
    group: new Set([`group ${group}`]),
    gateway: new Set(['G-here', 'Ä-here~', of('part')[0]?.number ?? '']),
  }
  const myControllers = new Set(['DG-here', 'DÄ-here', `D${of('part')[0]?.number}`])
  const isNamed = (kind: Kind, { target, at }: Entry) => {
    if (kind === 'account') return at >= (since.get(target.toLowerCase()) ?? Number.POSITIVE_INFINITY)
    if (kind === 'controller') return myControllers.has(target.split('/')[0] ?? '')
    return mine[kind].has(target)
  }
  const isFor = (entry: Entry) => {
    if (entry.actor.toLowerCase() === own?.name && entry.at >= own.since.getTime()) return true
    const [topic = ''] = entry.action.split('.')
    // What was refused before it reached its target stands there by the call's name, which has no dot.
    if (!entry.action.includes('.') && !ofAccounts.includes(topic)) return false
    // It is a gateway here and a device there: where the inspection was nobody can say.
    if (topic === 'inspection' && ['DG-here', 'G-here'].includes(entry.target)) return false
    return (Object.hasOwn(kinds, topic) ? kinds[topic as keyof typeof kinds] : []).some((kind) => isNamed(kind, entry))
  }
  shown = entries.filter(isFor).toReversed()
})
afterAll(() => db?.drop())

const every = { actor: undefined, action: undefined, target: undefined, outcome: undefined, from: undefined, to: undefined }

async function listed(database: Database, asked: Partial<JournalFilter> = {}): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let page = 1; ; page++) {
    const { rows, total } = await listJournal(database, { ...every, tenant, about: seen, ...asked, page, size: 200 })
    ids.push(...rows.map((row) => row.audit_id))
    totals.add(total)
    if (rows.length === 0) return { ids, totals }
  }
}

const as = (expected: readonly Entry[]) => ({ ids: expected.map(({ id }) => id), totals: new Set([expected.length]) })

test('every entry that is for somebody is found, and no other; the total counts them on every page and behind the last', async () => {
  expect(shown.length).toBeGreaterThan(500)
  expect(shown.length).toBeLessThan(entries.length - 500)
  expect(await listed(db.database)).toEqual(as(shown))
})

test('the wall in the database lets through just what the service asks for', async () => {
  expect(await withRowSecurity(db.database, scope, listed)).toEqual(as(shown))
})

test('the wall alone hides what is about nothing that is seen, whatever is asked for', async () => {
  const all = await withRowSecurity(db.database, scope, (database) => listed(database, { about: null }))
  const ids = new Set(all.ids)
  expect(shown.filter(({ id }) => !ids.has(id))).toEqual([])
  // It knows no times and no rights, so it lets through more, but nothing of other equipment.
  const [theirs, ours] = [['DG-there', 'G-there', 'DÄ-there'], 'near']
  const foreign = ({ actor, target }: Entry) => actor.toLowerCase() !== ours && theirs.includes(target.split('/')[0] ?? '')
  expect(entries.filter((entry) => foreign(entry) && ids.has(entry.id))).toEqual([])
})

const ofTarget = (part: string) => (entry: Entry) => entry.target.toLowerCase().includes(part)
const searches: readonly [string, Partial<JournalFilter>, (entry: Entry) => boolean][] = [
  ['much', { actor: 'E' }, ({ actor }) => actor.toLowerCase().includes('e')],
  ['something', { target: ' HERE' }, ofTarget('here')],
  ['little', { target: '王' }, ofTarget('王')],
  ['nothing', { target: 'nowhere' }, () => false],
  ['a topic', { action: 'gateway' }, ({ action }) => action === 'gateway' || action.startsWith('gateway.')],
  ['an outcome', { outcome: 'refused' }, ({ outcome }) => outcome === 'refused'],
  [
    'an actor and an outcome',
    { actor: 'far', outcome: 'done' },
    ({ actor, outcome }) => actor.includes('far') && outcome === 'done',
  ],
]

test.each(searches)(
  'a search that finds %s finds all of it once, in order, and counts it on every page',
  async (_, asked, is) => {
    const found = shown.filter(is)
    expect(await listed(db.database, asked)).toEqual(as(found))
    expect(await withRowSecurity(db.database, scope, (database) => listed(database, asked))).toEqual(as(found))
    const byActor = found.toReversed().toSorted((a, b) => (a.actor === b.actor ? 0 : a.actor < b.actor ? -1 : 1))
    expect(await listed(db.database, { ...asked, sort: 'Actor' })).toEqual(as(byActor))
  },
)

test('a search of days finds the entries of these days', async () => {
  const from = Date.now() - 12 * hourMs
  expect(await listed(db.database, { from, to: Date.now() })).toEqual(as(shown.filter(({ at }) => at >= from && at < Date.now())))
})

test('under the wall too the entries of somebody who sees little are found by their indexes', async () => {
  const plan = await withRowSecurity(db.database, scope, async (database) => {
    const about = await concerns(database, seen)
    await sql`set local enable_seqscan = off`.execute(database.general)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from audit where ${about}`.execute(database.general)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Bitmap Index Scan on audit_gateway')
  expect(plan).not.toContain('Seq Scan on audit')
})
