import { aboutNothing } from '@linewarden/contract'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { walkAudit } from '../../store/audit/chain.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { AttemptLog, maxUnknownGateways } from './attempt-log.ts'

let made: TestDatabase
let now = Date.UTC(2026, 0, 15)
const open = () => AttemptLog.open({ database: made.database, clock: () => now, log: pino({ level: 'silent' }) })
const unknownGateway = (number: string) => ({ number, gateway: null, refused: 'secret', address: '10.0.0.9' }) as const
const dismissal = {
  at: now,
  actor: 'a',
  address: '',
  action: 'gateway.dismiss',
  subject: aboutNothing,
  target: 'C',
  outcome: 'done',
} as const
const numbers = (book: AttemptLog) => book.unknownGateways().map(({ number }) => number)

beforeEach(async () => {
  made = await testDatabase()
})
afterEach(() => made.drop())

test('unknown gateways outlast a restart, with their tries and with which was dismissed', async () => {
  const first = await open()
  for (const number of ['A', 'B', 'A', 'C']) {
    now += 1_000
    first.note(unknownGateway(number))
  }
  await first.write()
  expect(await first.dismiss('C', dismissal)).toBe(true)
  expect(await first.dismiss('C', dismissal)).toBe(false)
  const second = await open()
  expect(numbers(second)).toEqual(['A', 'B'])
  expect(second.unknownGateways()[0]).toMatchObject({ tries: 2, lastAt: now - 1_000, firstAt: now - 3_000 })
  second.note(unknownGateway('C'))
  expect(numbers(second)).toEqual(['A', 'B'])
})

test('whoever has been quiet the longest is dropped, here and in the database', async () => {
  const book = await open()
  for (let i = 0; i < maxUnknownGateways; i++) book.note(unknownGateway(`N-${i}`))
  await book.write()
  book.note(unknownGateway('N-0'))
  book.note(unknownGateway('NEW'))
  await book.write()
  const kept = numbers(await open())
  expect([kept.length, kept.includes('N-0'), kept.includes('N-1'), kept.includes('NEW')]).toEqual([
    maxUnknownGateways,
    true,
    false,
    true,
  ])
})

test('a dismissal that is not in the log has not happened', async () => {
  const book = await open()
  book.note(unknownGateway('C'))
  await expect(book.dismiss('C', { ...dismissal, tenant: 'none' })).rejects.toThrow('uuid')
  expect([numbers(book), numbers(await open())]).toEqual([['C'], []])
  expect(await book.dismiss('C', dismissal)).toBe(true)
  const { entries } = await walkAudit(made.database.general)
  expect([numbers(book), entries]).toEqual([[], 1])
})

test('a book in which nothing is new is not written', async () => {
  const book = await open()
  book.note(unknownGateway('A'))
  await book.write()
  await made.database.general.deleteFrom('announced_gateway').execute()
  await book.write()
  expect(numbers(await open())).toEqual([])
  // What is written by another hand is not cleared away either.
  const other = await open()
  other.note(unknownGateway('B'))
  await other.write()
  await book.write()
  expect(numbers(await open())).toEqual(['B'])
})

test('what could not be written is written the next time', async () => {
  const book = await open()
  book.note(unknownGateway('A'))
  await made.database.general.schema.alterTable('announced_gateway').renameTo('away').execute()
  await book.write()
  await made.database.general.schema.alterTable('away').renameTo('announced_gateway').execute()
  await book.write()
  expect(numbers(await open())).toEqual(['A'])
})
