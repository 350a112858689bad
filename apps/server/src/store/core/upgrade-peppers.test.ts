import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Passwords } from '../../areas/account/passwords.ts'
import { codeHashesOf } from '../../areas/account/recovery-code.ts'
import { Peppers, Seal } from '../../areas/account/secrets.ts'
import { underPeppers } from '../account/pepper.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'
import { ownDatabase } from './test-database.ts'

// A database from before peppers had versions, brought to this one: whatever was stored then still opens.
let empty: Awaited<ReturnType<typeof ownDatabase>>
const old = () => empty.settings
const migrations = new URL('../migrations/', import.meta.url)
const pepper = Buffer.from('a pepper of more than 32 characters')
const peppers = new Peppers(new Map([[1, pepper]]))
let database: Database

async function run(settings: pg.ClientConfig, sql: string, values: unknown[] = []): Promise<Record<string, string>[]> {
  const client = new pg.Client(settings)
  await client.connect()
  return client
    .query(sql, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const keyOf = (purpose: string) => Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), `linewarden ${purpose}`, 32))
function sealedThen(text: string, purpose: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}
const hashedThen = (password: string) => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret: pepper })

beforeAll(async () => {
  empty = await ownDatabase('template0')
  await run(old(), 'create table migration (name text primary key, applied_at timestamptz not null default now())')
  for (const file of (await readdir(migrations)).sort().filter((each) => each < '0047')) {
    await run(old(), await readFile(new URL(file, migrations), 'utf8'))
    await run(old(), `insert into migration (name) values ('${file}')`)
  }
  await run(
    old(),
    "insert into account (user_name, kind, password_hash, control_hash) values ('a', 'platform', $1, $2), ('gone', 'sub', $1, $2)",
    [await hashedThen('sign-in'), await hashedThen('control')],
  )
  await run(old(), "update account set removed_at = now() where user_name = 'gone'")
  const first = "from account where user_name = 'a'"
  await run(
    old(),
    `insert into session (account_id, token, address, created_at, last_used_at) select account_id, $1, '', now(), now() ${first}`,
    [sealedThen('token', 'session tokens')],
  )
  await run(old(), `insert into second_factor (account_id, sealed_key, begun_at) select account_id, $1, now() ${first}`, [
    sealedThen('key', 'second factors'),
  ])
  const code = createHmac('sha256', keyOf('recovery codes')).update('ABCD-EFGH-IJKL').digest('hex')
  await run(old(), `insert into recovery_code (account_id, code_hash) select account_id, $1 ${first}`, [code])
  await run(
    old(),
    "insert into city (name) values ('c'); insert into project (city_id, name, time_zone) select max(city_id), 'p', 'UTC' from city",
  )
  await run(
    old(),
    `insert into push (project_id, platform, name, secret, aes_key, reporting_period_ms) select project_id, 'onenet', 'sealed', $1, $2, 60000 from project
     union all select project_id, 'ctwing', 'hashed', 'sha256:00', null, 60000 from project`,
    [sealedThen('secret', 'push secrets'), sealedThen('aes', 'push secrets')],
  )
  database = await openDatabase(old(), () => {})
})
afterAll(async () => {
  await database?.close()
  await empty?.drop()
})

test('all of it stands under version 1, and who was taken out has nothing that stands', async () => {
  expect((await underPeppers(database)).map(({ version, kind, rows }) => `${version} ${kind} ${rows}`)).toEqual(
    ['control passwords', 'push keys', 'push secrets', 'recovery codes', 'second factors', 'sessions', 'sign-in passwords'].map(
      (kind) => `1 ${kind} 1`,
    ),
  )
})

test('passwords match as before, and are told to be hashed anew', async () => {
  const [row] = await run(old(), "select password_hash, control_hash from account where user_name = 'a'")
  const passwords = new Passwords(peppers)
  const stored = row?.password_hash ?? ''
  expect(await passwords.matches('sign-in', stored)).toBe(true)
  expect(await passwords.matches('control', row?.control_hash ?? '')).toBe(true)
  expect(await passwords.matches('other', stored)).toBe(false)
  expect(passwords.isDated(stored)).toBe(true)
  const anew = await passwords.hash('sign-in')
  expect(passwords.isDated(anew)).toBe(false)
  expect(await passwords.matches('sign-in', anew)).toBe(true)
  expect(new Passwords(new Peppers(new Map([[2, pepper]]))).isLost(stored)).toBe(true)
})

test('what was sealed opens, and a recovery code is known', async () => {
  const [row] = await run(
    old(),
    `select token, sealed_key, secret, aes_key, code_hash from session join second_factor using (account_id)
     join recovery_code using (account_id), push where push.name = 'sealed'`,
  )
  expect(new Seal(peppers, 'session tokens').open(row?.token ?? '')).toBe('token')
  expect(new Seal(peppers, 'second factors').open(row?.sealed_key ?? '')).toBe('key')
  expect(new Seal(peppers, 'push secrets').open(row?.secret ?? '')).toBe('secret')
  expect(new Seal(peppers, 'push secrets').open(row?.aes_key ?? '')).toBe('aes')
  expect(codeHashesOf('ABCD-EFGH-IJKL', peppers)).toContain(row?.code_hash)
  expect(await run(old(), "select secret from push where name = 'hashed'")).toEqual([{ secret: 'sha256:00' }])
})
