import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { underPeppers } from '../../store/account/pepper.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { md5, Passwords } from './passwords.ts'
import { openPeppers, startResealing } from './peppers.ts'
import { Peppers, Seal } from './secrets.ts'

const one = 'one'.repeat(12)
const two = 'two'.repeat(12)
const log = pino({ level: 'silent' })
let db: TestDatabase
let dataDir = ''

beforeEach(async () => {
  db = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-pepper-'))
})
afterEach(async () => {
  await db?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const open = (given?: string, givenUp: number[] = []) =>
  openPeppers({ database: db.database, given, dataDir, givenUp, clock: Date.now, log })

const secrets = () => join(dataDir, 'secrets')
const code = (work: Promise<unknown>) => work.then(() => 'opened').catch((error) => error.code ?? String(error))

async function run(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await db.database.connect()
  return client
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** An account, a session, a factor and a push that hold what was sealed under these peppers. */
async function fill(peppers: Peppers): Promise<string> {
  const seal = (purpose: string) => new Seal(peppers, purpose).seal(purpose)
  const passwords = new Passwords(peppers)
  const [row] = await run(
    "insert into account (user_name, kind, password_hash, control_hash) values ('a', 'platform', $1, $2) returning account_id",
    [await passwords.hash(md5('sign-in')), await passwords.hash(md5('control'))],
  )
  const id = String(row?.account_id)
  await run("insert into session (account_id, token, address, created_at, last_used_at) values ($1, $2, '', now(), now())", [
    id,
    seal('session tokens'),
  ])
  await run('insert into second_factor (account_id, sealed_key, begun_at) values ($1, $2, now())', [id, seal('second factors')])
  await run(
    "insert into city (name) values ('c'); insert into project (city_id, name, time_zone) select max(city_id), 'p', 'UTC' from city",
  )
  await run(
    `insert into push (project_id, platform, name, secret, aes_key, reporting_period_ms) select project_id, 'onenet', '', $1, $2, 60000 from project
     union all select project_id, 'ctwing', '', 'sha256:00', null, 60000 from project`,
    [seal('push secrets'), seal('push secrets')],
  )
  return id
}

test('the first is made for an empty database, is its own, and the same at the next start', async () => {
  const first = await open()
  expect(first.versions).toEqual([1])
  expect((await stat(join(secrets(), 'pepper'))).mode & 0o777).toBe(0o600)
  expect((await open()).of(1)).toEqual(first.of(1))
})

test('none is made for a database in which something stands under one that is gone', async () => {
  await fill(await open())
  await rm(join(secrets(), 'pepper'))
  const error = await open().catch((each) => each)
  expect(error.code).toBe('missing_pepper')
  expect(error.readable).toMatch(/1 sessions, 1 sign-in passwords/)
  expect(await readdir(secrets())).toEqual([])
})

test('one that takes the place of another under its version is noticed', async () => {
  await open(one)
  expect(await code(open(two))).toBe('other_pepper')
  expect(await code(open(`2:${two},1:${one}`))).toBe('opened')
})

test.each([
  ['short', 'weak_pepper'],
  ['changeme', 'weak_pepper'],
  ['x'.repeat(40), 'weak_pepper'],
  [`2:${two},1:short`, 'weak_pepper'],
  [`2:${two},${one}`, 'bad_pepper'],
  [`2:${two},2:${one}`, 'bad_pepper'],
  [`0:${two}`, 'bad_pepper'],
])('%s is refused', async (given, refused) => expect(await code(open(given))).toBe(refused))

test('a file of a version that is too short is refused, and other files are none', async () => {
  await open()
  await writeFile(join(secrets(), 'pepper.old'), 'x')
  expect((await open()).versions).toEqual([1])
  await writeFile(join(secrets(), 'pepper.2'), 'x'.repeat(31))
  expect(await code(open())).toBe('bad_pepper')
  await writeFile(join(secrets(), 'pepper.2'), `${two}\n`)
  const both = await open()
  expect([both.newest, both.of(2)?.toString()]).toEqual([2, two])
  expect((await stat(join(secrets(), 'pepper.2'))).mode & 0o777).toBe(0o600)
})

test('everything sealed under an older one is sealed under the newest, and then the older may go', async () => {
  const id = await fill(await open(one))
  const both = await open(`2:${two},1:${one}`)
  await startResealing({ database: db.database, peppers: both, log }).done
  expect((await underPeppers(db.database)).map(({ version, kind, rows }) => [version, kind, rows])).toEqual(
    ['control passwords', 'push keys', 'push secrets', 'second factors', 'sessions', 'sign-in passwords'].map((kind) => [
      2,
      kind,
      1,
    ]),
  )
  const alone = await open(`2:${two}`)
  const [row] = await run(
    `select token, sealed_key, secret, aes_key, password_hash, control_hash from account join session using (account_id)
     join second_factor using (account_id), push where platform = 'onenet' and account_id = $1`,
    [id],
  )
  const opened = (purpose: string, column: string) => new Seal(alone, purpose).open(String(row?.[column]))
  expect(opened('session tokens', 'token')).toBe('session tokens')
  expect(opened('second factors', 'sealed_key')).toBe('second factors')
  expect(opened('push secrets', 'secret')).toBe('push secrets')
  expect(opened('push secrets', 'aes_key')).toBe('push secrets')
  expect(await new Passwords(alone).matches(md5('sign-in'), String(row?.password_hash))).toBe(true)
  expect(await new Passwords(alone).matches(md5('control'), String(row?.control_hash))).toBe(true)
  expect(await new Passwords(alone).matches(md5('control'), String(row?.password_hash))).toBe(false)
})

test('more than a handful are sealed anew, and what nothing opens stays as it is and stops nothing', async () => {
  const first = await open(one)
  const id = await fill(first)
  const seal = new Seal(first, 'session tokens')
  const tokens = Array.from({ length: 450 }, (_, i) => (i % 100 === 0 ? `1.broken${i}` : seal.seal('t')))
  await run(
    "insert into session (account_id, token, address, created_at, last_used_at) select $1, token, '', now(), now() from unnest($2::text[]) token",
    [id, tokens],
  )
  await startResealing({ database: db.database, peppers: await open(`2:${two},1:${one}`), log }).done
  const sessions = (await underPeppers(db.database)).filter(({ kind }) => kind === 'sessions')
  expect(sessions.map(({ version, rows }) => [version, rows])).toEqual([
    [1, 5],
    [2, 446],
  ])
})

test('a version that was given up opens nothing, and keeps the server from nothing', async () => {
  const before = await open(one)
  await fill(before)
  expect(await code(open(`2:${two}`))).toBe('missing_pepper')
  const after = await open(`2:${two}`, [1])
  const stored = await new Passwords(before).hash(md5('p'))
  const passwords = new Passwords(after)
  expect(passwords.isLost(stored)).toBe(true)
  expect(passwords.isLost(await passwords.hash(md5('p')))).toBe(false)
  expect(await passwords.matches(md5('p'), stored)).toBe(false)
  expect(new Seal(after, 'x').open(new Seal(before, 'x').seal('x'))).toBeNull()
})

test('what one purpose sealed another does not open', () => {
  const peppers = new Peppers(new Map([[1, Buffer.from(one)]]))
  expect(new Seal(peppers, 'b').open(new Seal(peppers, 'a').seal('x'))).toBeNull()
})
