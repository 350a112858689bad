import { createHmac } from 'node:crypto'
import { Refusal } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { createPartnerLogin } from './partner.ts'

let db: TestDatabase
let now = Date.UTC(2026, 0, 15)
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

const partner = { appId: 'gd', secret: 'a secret' }
const refuse = async () => {
  throw new Refusal('username notexists')
}
const written = async () => {
  const rows = await db.database.general
    .selectFrom('audit')
    .select(['actor', 'address', 'action', 'target', 'after', 'outcome'])
    .orderBy('audit_id')
    .execute()
  return rows.map(({ actor, address, action, target, after, outcome }) => [action, outcome, actor, target, address, after])
}

test('of refused sign-ons the log has the first at once, and a line for each quarter of an hour of them', async () => {
  const accounts = { takeNonce: async () => true, signInAs: refuse }
  const login = createPartnerLogin({ config: { partner }, accounts, database: db.database, clock: () => now, log: {} as never })
  const attempt = async (UserName: string, address: string, AppID = 'gd', secret = partner.secret) => {
    const [TimeStamp, Nonce] = [now / 1_000, 'n'.repeat(16)]
    const Signature = createHmac('sha256', secret).update([AppID, UserName, TimeStamp, Nonce].join('\n')).digest('hex')
    await expect(login.signIn({ AppID, UserName, TimeStamp, Nonce, Signature }, address)).rejects.toThrow(Refusal)
  }
  const by = (actor: string, target: string, address: string, after: object) => [
    'login.partner',
    'refused',
    actor,
    target,
    address,
    after,
  ]

  // Who is not the partner has no name, and writes no second line by giving others.
  await attempt('a', '10.0.0.1', 'gd', 'another')
  for (const [name, address] of [
    ['b', '10.0.0.2'],
    ['c', '10.0.0.3'],
  ] as const)
    await attempt(name, address, name)
  const unsigned = by('partner', '', '10.0.0.1', { app: 'gd', why: 'app not registered' })
  expect(await written()).toEqual([unsigned])

  // Of the partner's own it is written whom they were for; a copy of one that is sent again and again is counted.
  for (const name of ['x', 'y', 'x', 'x']) await attempt(name, '10.0.0.4')
  const why = 'username notexists'
  const signed = ['x', 'y'].map((name) => by(name, name, '10.0.0.4', { app: 'gd', why }))
  expect(await written()).toEqual([unsigned, ...signed])

  now += 15 * 60_000 - 1
  await login.flush()
  expect(await written()).toHaveLength(3)
  now += 1
  await login.flush()
  expect((await written()).slice(3)).toEqual([
    by('partner', '', '10.0.0.3', { app: 'c', why: 'app not registered', more: 2 }),
    by('x', 'x', '10.0.0.4', { app: 'gd', why, more: 2 }),
  ])

  // What was only counted when the server stops is written before it does.
  for (const name of ['x', 'x', 'x']) await attempt(name, '10.0.0.4')
  expect(await written()).toHaveLength(6)
  await login.close()
  expect((await written()).slice(6)).toEqual([by('x', 'x', '10.0.0.4', { app: 'gd', why, more: 2 })])
})
