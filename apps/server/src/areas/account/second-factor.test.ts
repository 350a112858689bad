import { aboutNothing } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { insertAccount } from '../../store/account/account.ts'
import { turnOff, turnOn, withFactor } from '../../store/account/second-factor.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { createSecondFactor } from './second-factor.ts'
import { Peppers, Seal } from './secrets.ts'
import { codeAt, stepOf } from './totp.ts'

let db: TestDatabase
let accountId = ''
const at = Date.UTC(2026, 0, 15)
const removal: AuditEntry = {
  at,
  actor: 'b',
  address: '',
  action: 'account.factor.reset',
  subject: aboutNothing,
  target: 'a',
  outcome: 'done',
}

beforeAll(async () => {
  db = await testDatabase()
  const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
  accountId = (await insertAccount(db.database.general, { ...account, kind: 'platform' }, null)) ?? ''
})
afterAll(() => db?.drop())

async function asked<Row>(text: string): Promise<Row[]> {
  const client = await db.database.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}
/** What the transactions of this database wait for. */
const waiting = async () =>
  (
    await asked<{ locktype: string }>(
      'select locktype from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
    )
  ).map(({ locktype }) => locktype)

const peppers = new Peppers(new Map([[1, Buffer.alloc(32)]]))
const seal = new Seal(peppers, 'second factors')
const factors = () =>
  createSecondFactor({
    database: db.database,
    seal,
    peppers,
    proves: async () => {},
    endOthers: async () => {},
    issuer: () => 'Linewarden',
    clock: () => at,
  })
const actor = () => ({ accountId, userName: 'a', address: '', tenant: null }) as Actor

test('has its recovery codes written before its turn at the log: with the turn nothing else is waited for', async () => {
  const factor = factors()
  await factor.begin(actor(), '')
  const [begun] = await asked<{ sealed_key: string }>('select sealed_key from second_factor')
  const key = Buffer.from(seal.open(begun?.sealed_key ?? '') ?? '', 'base64')
  const writer = await db.database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
  const confirmed = factor.confirm(actor(), codeAt(key, stepOf(at)))
  try {
    await vi.waitFor(async () => expect(await waiting()).toEqual(['advisory']))
    const written = "select mode from pg_locks where relation = 'recovery_code'::regclass and mode = 'RowExclusiveLock'"
    expect(await asked(written)).toHaveLength(1)
  } finally {
    await writer.query('rollback')
    await writer.end()
    await confirmed
  }
  expect((await confirmed).RecoveryCodes).toHaveLength(10)
})

test('turned on and taken away at once, neither waits for the other in a circle', async () => {
  const { general } = db.database
  let taken: Promise<boolean> | undefined
  await withFactor(general, accountId, async (trx, factor) => {
    expect(factor?.on).toBe(true)
    taken = turnOff(general, accountId, removal)
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1))
    await turnOn(trx, accountId, at)
  })
  expect(await taken).toBe(true)
})
