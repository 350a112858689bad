import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

let db: TestDatabase
let opened: Database
beforeAll(async () => {
  db = await testDatabase()
  // As somebody's own server is set, and the one that we bring is not.
  const own = sql.id(String(db.settings.database))
  await sql`alter database ${own} set jit = on`.execute(db.database.general)
  await sql`alter database ${own} set timezone = 'Asia/Kolkata'`.execute(db.database.general)
  await sql`alter database ${own} set default_transaction_isolation = 'repeatable read'`.execute(db.database.general)
  opened = await openDatabase(db.settings, () => {})
})
afterAll(async () => {
  await opened?.close()
  await db?.drop()
})

test('no lane compiles its queries, lives by another clock or looks only at what was, whatever the server is set to', async () => {
  const ask = sql<{ name: string; setting: string; server: string }>`
    select name, setting, reset_val as server from pg_settings where name in ('jit', 'TimeZone', 'default_transaction_isolation')`
  const client = await opened.connect()
  const own = await client.query<{ name: string; setting: string; server: string }>(ask.compile(opened.general).sql)
  await client.end()
  const lanes = await Promise.all([ask.execute(opened.general), ask.execute(opened.control)])
  const expected = [
    { name: 'TimeZone', setting: 'UTC', server: 'Asia/Kolkata' },
    { name: 'default_transaction_isolation', setting: 'read committed', server: 'repeatable read' },
    { name: 'jit', setting: 'off', server: 'on' },
  ]
  for (const { rows } of [own, ...lanes]) expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected)
})

test('a database that is closed is asked nothing more, on either lane', async () => {
  const closed = await openDatabase(db.settings, () => {})
  const lanes = [closed.general, closed.control]
  for (const lane of lanes) await sql`select 1`.execute(lane)
  await closed.close()
  for (const lane of lanes) await expect(sql`select 1`.execute(lane)).rejects.toThrow()
})

test('a server that will not have it so keeps no connection of ours', async () => {
  const ready = Buffer.from('Z\0\0\0\x05I', 'latin1')
  const welcome = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1'), ready])
  const message = Buffer.from('SERROR\0C42501\0Mnot here\0\0', 'latin1')
  const refusal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, message.length + 4]), message, ready])
  const left = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome)
      // Whatever is asked; a goodbye is answered by nobody.
      socket.on('data', (asked) => asked[0] === 0x51 && socket.write(refusal))
    })
    socket.on('end', () => left.resolve())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(openDatabase({ host: '127.0.0.1', port, user: 'u', password: 'p', database: 'd' }, () => {})).rejects.toThrow(
    'not here',
  )
  await left.promise
  server.close()
})
